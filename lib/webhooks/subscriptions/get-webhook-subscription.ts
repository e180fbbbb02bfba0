import "server-only";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";
import {
  SubscriptionParams,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/subscriptions/webhook-subscription";

export const GetWebhookSubscription = contract({
  summary: "Get a webhook subscription",
  description: "Returns a webhook subscription. The signing secret is not included.",
  tag: "Webhooks",
  right: "view_webhooks",
  params: SubscriptionParams,
  returns: WebhookSubscription,
  status: 200,
  errors: ["subscription_not_found", "access_denied"],
});

/** One subscription of the account. Errors: subscription_not_found, access_denied. */
export async function getWebhookSubscription(ctx: Context, { params }: Input<typeof GetWebhookSubscription>) {
  return toWebhookSubscription(await findWebhookSubscription(ctx, params.subscriptionId));
}
