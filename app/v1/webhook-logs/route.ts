import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListWebhookLogs, listWebhookLogs } from "@/lib/webhooks/deliveries/list-webhook-logs";

export const GET = endpoint(ListWebhookLogs, listWebhookLogs);
