import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  CreateWebhookSubscription,
  createWebhookSubscription,
} from "@/lib/webhooks/create-webhook-subscription";
import { ListWebhookEndpoints, listWebhookEndpoints } from "@/lib/webhooks/list-webhook-endpoints";

export const GET = endpoint(ListWebhookEndpoints, listWebhookEndpoints, authenticateSession);
export const POST = endpoint(CreateWebhookSubscription, createWebhookSubscription, authenticateSession);
