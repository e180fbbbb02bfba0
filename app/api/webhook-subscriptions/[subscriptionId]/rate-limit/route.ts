import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SetRateLimit, setRateLimit } from "@/lib/webhooks/set-rate-limit";

export const PUT = endpoint(SetRateLimit, setRateLimit, authenticateSession);
