import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { RetrySetAside, retrySetAside } from "@/lib/runtime/wiring/retry-set-aside";

export const POST = endpoint(RetrySetAside, retrySetAside, authenticateSession);
