import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { PreviewReplay, previewReplay } from "@/lib/webhooks/replays/preview-replay";

export const POST = endpoint(PreviewReplay, previewReplay, authenticateSession);
