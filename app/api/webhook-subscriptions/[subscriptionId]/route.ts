import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  DeleteWebhookSubscription,
  deleteWebhookSubscription,
} from "@/lib/webhooks/delete-webhook-subscription";
import { GetWebhookEndpoint, getWebhookEndpoint } from "@/lib/webhooks/get-webhook-endpoint";
import { UpdateWebhookEndpoint } from "@/lib/webhooks/manage-webhook-endpoint";
import { updateWebhookSubscription } from "@/lib/webhooks/update-webhook-subscription";

export const GET = endpoint(GetWebhookEndpoint, getWebhookEndpoint, authenticateSession);
export const PUT = endpoint(UpdateWebhookEndpoint, updateWebhookSubscription, authenticateSession);
export const DELETE = endpoint(DeleteWebhookSubscription, deleteWebhookSubscription, authenticateSession);
