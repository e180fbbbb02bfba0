import { GetExperience, getExperience } from "@/lib/payments/experiences/get-experience";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetExperience, getExperience);
