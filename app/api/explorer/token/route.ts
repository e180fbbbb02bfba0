import { CreateSessionToken, createSessionToken } from "@/lib/identity/tokens/create-session-token";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CreateSessionToken, createSessionToken, authenticateSession);
