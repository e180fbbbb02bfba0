import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ReplayDeliveries, replayDeliveries } from "@/lib/webhooks/replay-deliveries";

export const POST = endpoint(ReplayDeliveries, replayDeliveries, authenticateSession);
