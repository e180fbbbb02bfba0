import { GetHandleConnection, getHandleConnection } from "@/lib/agent-payments/get-handle-connection";
import { RevokeHandle, revokeHandle } from "@/lib/agent-payments/revoke-handle";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetHandleConnection, getHandleConnection);
export const DELETE = endpoint(RevokeHandle, revokeHandle);
