import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { SwitchWebhookSecret, switchWebhookSecret } from "@/lib/webhooks/endpoints/switch-webhook-secret";

export const POST = endpoint(SwitchWebhookSecret, switchWebhookSecret, authenticateSession);
