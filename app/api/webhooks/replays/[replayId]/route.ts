import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ChangeReplay, changeReplay } from "@/lib/webhooks/replays/change-replay";
import { GetReplay, getReplay } from "@/lib/webhooks/replays/get-replay";

export const GET = endpoint(GetReplay, getReplay, authenticateSession);
export const PATCH = endpoint(ChangeReplay, changeReplay, authenticateSession);
