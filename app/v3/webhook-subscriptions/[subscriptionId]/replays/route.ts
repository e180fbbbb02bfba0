import { endpoint } from "@/lib/runtime/http/endpoint";
import { ReplayDeliveries, replayDeliveries } from "@/lib/webhooks/replay-deliveries";

export const POST = endpoint(ReplayDeliveries, replayDeliveries);
