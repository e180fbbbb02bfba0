import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  CreateWebhookSubscription,
  createWebhookSubscription,
} from "@/lib/webhooks/create-webhook-subscription";
import {
  ListWebhookSubscriptions,
  listWebhookSubscriptions,
} from "@/lib/webhooks/list-webhook-subscriptions";

export const GET = endpoint(ListWebhookSubscriptions, listWebhookSubscriptions);
export const POST = endpoint(CreateWebhookSubscription, createWebhookSubscription);
