import { endpoint } from "@/lib/http/endpoint";
import {
  GetHandleConnection,
  getHandleConnection,
} from "@/lib/payments/agent-payments/get-handle-connection";
import { RevokeHandle, revokeHandle } from "@/lib/payments/agent-payments/revoke-handle";

export const GET = endpoint(GetHandleConnection, getHandleConnection);
export const DELETE = endpoint(RevokeHandle, revokeHandle);
