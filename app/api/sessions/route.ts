import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { EndOwnSessions, endOwnSessions } from "@/lib/identity/users/end-own-sessions";
import { ListSessions, listSessions } from "@/lib/identity/users/list-sessions";

export const GET = endpoint(ListSessions, listSessions, authenticateSession);
export const DELETE = endpoint(EndOwnSessions, endOwnSessions, authenticateSession);
