import { GetSession, getSession } from "@/lib/identity/sessions/get-session";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { signOut } from "@/lib/runtime/sign-in/sign-out";

export const GET = endpoint(GetSession, getSession, authenticateIncompleteSession);
export const DELETE = signOut;
