import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RevokeHandle, revokeHandle } from "@/lib/payments/agent-payments/revoke-handle";
import { ShowCustomer, showCustomer } from "@/lib/payments/agent-payments/show-customer";

export const GET = endpoint(ShowCustomer, showCustomer, authenticateSession);
export const DELETE = endpoint(RevokeHandle, revokeHandle, authenticateSession);
