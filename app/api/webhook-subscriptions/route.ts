import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  ListWebhookSubscriptionViews,
  listWebhookSubscriptionViews,
} from "@/lib/webhooks/endpoints/list-webhook-subscription-views";
import { CreateWebhookSubscriptionAsUser } from "@/lib/webhooks/endpoints/webhook-subscription-as-user";
import { createWebhookSubscription } from "@/lib/webhooks/subscriptions/create-webhook-subscription";

export const GET = endpoint(ListWebhookSubscriptionViews, listWebhookSubscriptionViews, authenticateSession);
export const POST = endpoint(CreateWebhookSubscriptionAsUser, createWebhookSubscription, authenticateSession);
