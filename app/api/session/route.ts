import { GetSession, getSession } from "@/lib/identity/users/get-session";
import { signOut } from "@/lib/runtime/dashboard/sign-out";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetSession, getSession, authenticateIncompleteSession);
export const DELETE = signOut;
