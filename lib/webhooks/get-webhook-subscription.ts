import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { findWebhookSubscription } from "@/lib/webhooks/find-webhook-subscription";
import { toWebhookSubscription, WebhookSubscription } from "@/lib/webhooks/webhook-subscription";

export const GetWebhookSubscription = contract({
  summary: "Get a webhook subscription",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  returns: WebhookSubscription,
  status: 200,
  errors: ["subscription_not_found", "access_denied"],
});

/** One subscription of the account. Errors: subscription_not_found, access_denied. */
export async function getWebhookSubscription(ctx: Context, { params }: Input<typeof GetWebhookSubscription>) {
  return toWebhookSubscription(await findWebhookSubscription(ctx, params.subscriptionId));
}
