import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  DeleteWebhookSubscription,
  deleteWebhookSubscription,
} from "@/lib/webhooks/delete-webhook-subscription";
import { GetWebhookSubscription, getWebhookSubscription } from "@/lib/webhooks/get-webhook-subscription";
import {
  UpdateWebhookSubscription,
  updateWebhookSubscription,
} from "@/lib/webhooks/update-webhook-subscription";

export const GET = endpoint(GetWebhookSubscription, getWebhookSubscription);
export const PUT = endpoint(UpdateWebhookSubscription, updateWebhookSubscription);
export const DELETE = endpoint(DeleteWebhookSubscription, deleteWebhookSubscription);
