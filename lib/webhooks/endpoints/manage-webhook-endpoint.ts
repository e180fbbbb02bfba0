import "server-only";
import { contract } from "@/lib/platform/contract";
import { EndpointName } from "@/lib/webhooks/endpoints/endpoint-name";
import { CreateWebhookSubscription } from "@/lib/webhooks/subscriptions/create-webhook-subscription";
import { UpdateWebhookSubscription } from "@/lib/webhooks/subscriptions/update-webhook-subscription";

/** Like the operations of the API, with the name that only the dashboard shows. */
export const CreateWebhookEndpoint = contract({
  ...CreateWebhookSubscription,
  body: CreateWebhookSubscription.body.extend({ name: EndpointName.optional() }),
});

export const UpdateWebhookEndpoint = contract({
  ...UpdateWebhookSubscription,
  body: UpdateWebhookSubscription.body.extend({ name: EndpointName.optional() }),
});
