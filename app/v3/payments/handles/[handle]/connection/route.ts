import { GetHandleConnection, getHandleConnection } from "@/lib/payments/connections/get-handle-connection";
import { RevokeHandle, revokeHandle } from "@/lib/payments/wallet/revoke-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetHandleConnection, getHandleConnection);
export const DELETE = endpoint(RevokeHandle, revokeHandle);
