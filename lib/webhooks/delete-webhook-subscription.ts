import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { findWebhookSubscription } from "@/lib/webhooks/find-webhook-subscription";
import { withoutQuery } from "@/lib/webhooks/webhook-target";

export const DeleteWebhookSubscription = contract({
  summary: "Delete a webhook subscription",
  tag: "Webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  status: 204,
  errors: ["subscription_not_found", "access_denied"],
});

/**
 * Ends a subscription: nothing more is sent, waiting deliveries are skipped, the secret is wiped; its history stays.
 * Errors: subscription_not_found, access_denied.
 */
export async function deleteWebhookSubscription(
  ctx: Context,
  { params }: Input<typeof DeleteWebhookSubscription>,
): Promise<undefined> {
  const { id, targetUrl } = await findWebhookSubscription(ctx, params.subscriptionId);

  await transaction(async (tx) => {
    await tx.query({
      text: `update webhook_subscriptions
             set deleted_at = $3, updated_at = $3, is_active = false, signing_secret = ''
             where account_id = $1 and id = $2 and deleted_at is null`,
      values: [ctx.account.id, id, ctx.now],
    });
    const detail = { target_url: withoutQuery(targetUrl) };
    await recordAudit(tx, ctx, "webhook_subscription.deleted", "webhook_subscription", id, detail);
    tx.wake("deliveries");
  });
}
