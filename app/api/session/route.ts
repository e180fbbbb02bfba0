import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetSession, getSession } from "@/lib/identity/users/get-session";

export const GET = endpoint(GetSession, getSession, authenticateSession);
