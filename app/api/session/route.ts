import { GetSession, getSession } from "@/lib/identity/users/get-session";
import { signOut } from "@/lib/runtime/dashboard/sign-out";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetSession, getSession, authenticateSession);
export const DELETE = signOut;
