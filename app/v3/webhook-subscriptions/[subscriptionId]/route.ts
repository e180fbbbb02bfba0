import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  DeleteWebhookSubscription,
  deleteWebhookSubscription,
} from "@/lib/webhooks/subscriptions/delete-webhook-subscription";
import {
  GetWebhookSubscription,
  getWebhookSubscription,
} from "@/lib/webhooks/subscriptions/get-webhook-subscription";
import {
  UpdateWebhookSubscription,
  updateWebhookSubscription,
} from "@/lib/webhooks/subscriptions/update-webhook-subscription";

export const GET = endpoint(GetWebhookSubscription, getWebhookSubscription);
export const PUT = endpoint(UpdateWebhookSubscription, updateWebhookSubscription);
export const DELETE = endpoint(DeleteWebhookSubscription, deleteWebhookSubscription);
