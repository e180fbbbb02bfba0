import { endpoint } from "@/lib/runtime/http/endpoint";
import { CancelReplay, cancelReplay } from "@/lib/webhooks/replays/cancel-replay";
import { ReplayDeliveries, replayDeliveries } from "@/lib/webhooks/replays/replay-deliveries";

export const POST = endpoint(ReplayDeliveries, replayDeliveries);
export const DELETE = endpoint(CancelReplay, cancelReplay);
