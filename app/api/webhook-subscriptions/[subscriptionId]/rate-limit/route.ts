import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { SetRateLimit, setRateLimit } from "@/lib/webhooks/endpoints/set-rate-limit";

export const PUT = endpoint(SetRateLimit, setRateLimit, authenticateSession);
