import { endpoint } from "@/lib/http/endpoint";
import { GetExperience, getExperience } from "@/lib/payments/experiences/get-experience";

export const GET = endpoint(GetExperience, getExperience);
