import { ConnectHandle, connectHandle } from "@/lib/payments/connections/connect-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ConnectHandle, connectHandle);
