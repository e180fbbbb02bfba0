import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RollToken, rollToken } from "@/lib/identity/tokens/roll-token";

export const POST = endpoint(RollToken, rollToken, authenticateSession);
