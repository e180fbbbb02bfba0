import { RollToken, rollToken } from "@/lib/identity/tokens/roll-token";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RollToken, rollToken, authenticateSession);
