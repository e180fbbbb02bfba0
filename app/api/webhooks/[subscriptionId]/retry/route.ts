import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { RetryNow, retryNow } from "@/lib/webhooks/deliveries/retry-now";

export const POST = endpoint(RetryNow, retryNow, authenticateSession);
