import { ListExperiences, listExperiences } from "@/lib/payments/experiences/list-experiences";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListExperiences, listExperiences, authenticateSession);
