import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ReplayDelivery, replayDelivery } from "@/lib/webhooks/replay-delivery";

export const POST = endpoint(ReplayDelivery, replayDelivery, authenticateSession);
