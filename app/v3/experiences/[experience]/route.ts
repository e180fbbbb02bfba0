import { GetExperience, getExperience } from "@/lib/experiences/get-experience";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetExperience, getExperience);
