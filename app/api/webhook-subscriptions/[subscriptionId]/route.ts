import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  GetWebhookSubscriptionView,
  getWebhookSubscriptionView,
} from "@/lib/webhooks/endpoints/get-webhook-subscription-view";
import { UpdateWebhookSubscriptionAsUser } from "@/lib/webhooks/endpoints/webhook-subscription-as-user";
import {
  DeleteWebhookSubscription,
  deleteWebhookSubscription,
} from "@/lib/webhooks/subscriptions/delete-webhook-subscription";
import { updateWebhookSubscription } from "@/lib/webhooks/subscriptions/update-webhook-subscription";

export const GET = endpoint(GetWebhookSubscriptionView, getWebhookSubscriptionView, authenticateSession);
export const PUT = endpoint(UpdateWebhookSubscriptionAsUser, updateWebhookSubscription, authenticateSession);
export const DELETE = endpoint(DeleteWebhookSubscription, deleteWebhookSubscription, authenticateSession);
