import { ConnectHandle, connectHandle } from "@/lib/agent-payments/connect-handle";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(ConnectHandle, connectHandle);
