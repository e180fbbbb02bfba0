import { ShowCustomer, showCustomer } from "@/lib/payments/agent-payments/show-customer";
import { RevokeHandle, revokeHandle } from "@/lib/payments/wallet/revoke-handle";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ShowCustomer, showCustomer, authenticateSession);
export const DELETE = endpoint(RevokeHandle, revokeHandle, authenticateSession);
