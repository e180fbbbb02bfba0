import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListWebhookEvents, listWebhookEvents } from "@/lib/webhooks/list-webhook-events";

export const GET = endpoint(ListWebhookEvents, listWebhookEvents);
