import "server-only";
import { z } from "zod";
import { contract } from "@/lib/platform/contract";
import { maxUnits } from "@/lib/platform/text/max-units";
import { CreateWebhookSubscription } from "@/lib/webhooks/subscriptions/create-webhook-subscription";
import { UpdateWebhookSubscription } from "@/lib/webhooks/subscriptions/update-webhook-subscription";

const MAX_NAME = 80;

/** The name of an endpoint in the dashboard. Blank text is no name. */
const EndpointName = z
  .string()
  .trim()
  .check(maxUnits(MAX_NAME))
  .nullable()
  .transform((name) => (name === "" ? null : name));

/** Like the operations of the API, with the name that only the dashboard shows. */
export const CreateWebhookSubscriptionAsUser = contract({
  ...CreateWebhookSubscription,
  body: CreateWebhookSubscription.body.extend({ name: EndpointName.optional() }),
});

export const UpdateWebhookSubscriptionAsUser = contract({
  ...UpdateWebhookSubscription,
  body: UpdateWebhookSubscription.body.extend({ name: EndpointName.optional() }),
});
