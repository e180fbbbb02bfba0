import { endpoint } from "@/lib/http/endpoint";
import { ListExperiences, listExperiences } from "@/lib/payments/experiences/list-experiences";

export const GET = endpoint(ListExperiences, listExperiences);
