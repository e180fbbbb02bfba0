import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { PreviewReplayToAll, previewReplayToAll } from "@/lib/webhooks/replays/replay-to-all";

export const POST = endpoint(PreviewReplayToAll, previewReplayToAll, authenticateSession);
