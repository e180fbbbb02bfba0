import {
  GetHandleConnection,
  getHandleConnection,
} from "@/lib/payments/agent-payments/get-handle-connection";
import { RevokeHandle, revokeHandle } from "@/lib/payments/agent-payments/revoke-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetHandleConnection, getHandleConnection);
export const DELETE = endpoint(RevokeHandle, revokeHandle);
