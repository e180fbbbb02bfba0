import { RevokeHandle, revokeHandle } from "@/lib/agent-payments/revoke-handle";
import { ShowCustomer, showCustomer } from "@/lib/agent-payments/show-customer";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ShowCustomer, showCustomer, authenticateSession);
export const DELETE = endpoint(RevokeHandle, revokeHandle, authenticateSession);
