import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  CreateWebhookSubscription,
  createWebhookSubscription,
} from "@/lib/webhooks/subscriptions/create-webhook-subscription";
import {
  ListWebhookSubscriptions,
  listWebhookSubscriptions,
} from "@/lib/webhooks/subscriptions/list-webhook-subscriptions";

export const GET = endpoint(ListWebhookSubscriptions, listWebhookSubscriptions);
export const POST = endpoint(CreateWebhookSubscription, createWebhookSubscription);
