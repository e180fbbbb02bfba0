import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RotateWebhookSecret, rotateWebhookSecret } from "@/lib/webhooks/rotate-webhook-secret";

export const POST = endpoint(RotateWebhookSecret, rotateWebhookSecret, authenticateSession);
