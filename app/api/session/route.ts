import { GetSession, getSession } from "@/lib/identity/users/get-session";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetSession, getSession, authenticateSession);
