import { EndOwnSession, endOwnSession } from "@/lib/identity/sessions/end-own-sessions";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(EndOwnSession, endOwnSession, authenticateSession);
