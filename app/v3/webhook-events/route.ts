import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListWebhookEvents, listWebhookEvents } from "@/lib/webhooks/subscriptions/list-webhook-events";

export const GET = endpoint(ListWebhookEvents, listWebhookEvents);
