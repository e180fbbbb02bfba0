import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RevokeToken, revokeToken } from "@/lib/tokens/revoke-token";

export const DELETE = endpoint(RevokeToken, revokeToken, authenticateSession);
