import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { RotateWebhookSecret, rotateWebhookSecret } from "@/lib/webhooks/endpoints/rotate-webhook-secret";

export const POST = endpoint(RotateWebhookSecret, rotateWebhookSecret, authenticateSession);
