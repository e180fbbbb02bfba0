import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { EndOwnSession, endOwnSession } from "@/lib/identity/users/end-own-sessions";

export const DELETE = endpoint(EndOwnSession, endOwnSession, authenticateSession);
