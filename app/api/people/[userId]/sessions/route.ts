import { EndPersonSessions, endPersonSessions } from "@/lib/identity/sessions/end-person-sessions";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(EndPersonSessions, endPersonSessions, authenticateSession);
