import { ListExperiences, listExperiences } from "@/lib/payments/experiences/list-experiences";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListExperiences, listExperiences);
