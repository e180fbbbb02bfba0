import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { EndPersonSessions, endPersonSessions } from "@/lib/identity/users/end-person-sessions";

export const DELETE = endpoint(EndPersonSessions, endPersonSessions, authenticateSession);
