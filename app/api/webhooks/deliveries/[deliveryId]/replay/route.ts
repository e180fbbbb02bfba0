import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ReplayDelivery, replayDelivery } from "@/lib/webhooks/replays/replay-delivery";

export const POST = endpoint(ReplayDelivery, replayDelivery, authenticateSession);
