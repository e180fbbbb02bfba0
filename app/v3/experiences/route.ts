import { ListExperiences, listExperiences } from "@/lib/experiences/list-experiences";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListExperiences, listExperiences);
