import { ConnectHandle, connectHandle } from "@/lib/payments/agent-payments/connect-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ConnectHandle, connectHandle);
