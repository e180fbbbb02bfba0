import { endpoint } from "@/lib/http/endpoint";
import { ConnectHandle, connectHandle } from "@/lib/payments/agent-payments/connect-handle";

export const POST = endpoint(ConnectHandle, connectHandle);
