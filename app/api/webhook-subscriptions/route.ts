import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListWebhookEndpoints, listWebhookEndpoints } from "@/lib/webhooks/endpoints/list-webhook-endpoints";
import { CreateWebhookEndpoint } from "@/lib/webhooks/endpoints/manage-webhook-endpoint";
import { createWebhookSubscription } from "@/lib/webhooks/subscriptions/create-webhook-subscription";

export const GET = endpoint(ListWebhookEndpoints, listWebhookEndpoints, authenticateSession);
export const POST = endpoint(CreateWebhookEndpoint, createWebhookSubscription, authenticateSession);
