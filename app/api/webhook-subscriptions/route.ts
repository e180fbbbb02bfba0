import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { createWebhookSubscription } from "@/lib/webhooks/create-webhook-subscription";
import { ListWebhookEndpoints, listWebhookEndpoints } from "@/lib/webhooks/list-webhook-endpoints";
import { CreateWebhookEndpoint } from "@/lib/webhooks/manage-webhook-endpoint";

export const GET = endpoint(ListWebhookEndpoints, listWebhookEndpoints, authenticateSession);
export const POST = endpoint(CreateWebhookEndpoint, createWebhookSubscription, authenticateSession);
