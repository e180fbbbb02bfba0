import { ListExperiences, listExperiences } from "@/lib/experiences/list-experiences";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListExperiences, listExperiences, authenticateSession);
