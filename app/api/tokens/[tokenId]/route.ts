import { RevokeToken, revokeToken } from "@/lib/identity/tokens/revoke-token";
import { UpdateToken, updateToken } from "@/lib/identity/tokens/update-token";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(UpdateToken, updateToken, authenticateSession);
export const DELETE = endpoint(RevokeToken, revokeToken, authenticateSession);
