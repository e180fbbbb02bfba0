import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ReplayDeliveries, replayDeliveries } from "@/lib/webhooks/replays/replay-deliveries";

export const POST = endpoint(ReplayDeliveries, replayDeliveries, authenticateSession);
