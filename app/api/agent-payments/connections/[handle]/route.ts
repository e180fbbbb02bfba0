import { RevokeHandle, revokeHandle } from "@/lib/agent-payments/revoke-handle";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const DELETE = endpoint(RevokeHandle, revokeHandle, authenticateSession);
