import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { PreviewReplay, previewReplay } from "@/lib/webhooks/preview-replay";

export const POST = endpoint(PreviewReplay, previewReplay, authenticateSession);
