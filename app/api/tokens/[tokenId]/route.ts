import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RevokeToken, revokeToken } from "@/lib/identity/tokens/revoke-token";
import { UpdateToken, updateToken } from "@/lib/identity/tokens/update-token";

export const PATCH = endpoint(UpdateToken, updateToken, authenticateSession);
export const DELETE = endpoint(RevokeToken, revokeToken, authenticateSession);
