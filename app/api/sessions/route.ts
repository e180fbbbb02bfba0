import { EndOwnSessions, endOwnSessions } from "@/lib/identity/sessions/end-own-sessions";
import { ListSessions, listSessions } from "@/lib/identity/sessions/list-sessions";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListSessions, listSessions, authenticateSession);
export const DELETE = endpoint(EndOwnSessions, endOwnSessions, authenticateSession);
