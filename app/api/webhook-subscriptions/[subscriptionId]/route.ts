import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetWebhookEndpoint, getWebhookEndpoint } from "@/lib/webhooks/endpoints/get-webhook-endpoint";
import { UpdateWebhookEndpoint } from "@/lib/webhooks/endpoints/manage-webhook-endpoint";
import {
  DeleteWebhookSubscription,
  deleteWebhookSubscription,
} from "@/lib/webhooks/subscriptions/delete-webhook-subscription";
import { updateWebhookSubscription } from "@/lib/webhooks/subscriptions/update-webhook-subscription";

export const GET = endpoint(GetWebhookEndpoint, getWebhookEndpoint, authenticateSession);
export const PUT = endpoint(UpdateWebhookEndpoint, updateWebhookSubscription, authenticateSession);
export const DELETE = endpoint(DeleteWebhookSubscription, deleteWebhookSubscription, authenticateSession);
