import {
  GetHandleConnectionView,
  getHandleConnectionView,
} from "@/lib/payments/agent-payments/get-handle-connection-view";
import { RevokeHandle, revokeHandle } from "@/lib/payments/wallet/revoke-handle";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetHandleConnectionView, getHandleConnectionView, authenticateSession);
export const DELETE = endpoint(RevokeHandle, revokeHandle, authenticateSession);
