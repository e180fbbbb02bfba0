import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListReplays, listReplays } from "@/lib/webhooks/replays/list-replays";
import { ReplayToAll, replayToAll } from "@/lib/webhooks/replays/replay-to-all";

export const GET = endpoint(ListReplays, listReplays, authenticateSession);
export const POST = endpoint(ReplayToAll, replayToAll, authenticateSession);
