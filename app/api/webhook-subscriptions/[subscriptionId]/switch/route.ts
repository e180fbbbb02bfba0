import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SwitchWebhookSecret, switchWebhookSecret } from "@/lib/webhooks/switch-webhook-secret";

export const POST = endpoint(SwitchWebhookSecret, switchWebhookSecret, authenticateSession);
