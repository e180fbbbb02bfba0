import "server-only";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { mendQueuesOf } from "@/lib/webhooks/deliveries/mend-queues";
import { subscriptionRef } from "@/lib/webhooks/subscriptions/emit-subscription-changes";
import {
  withdrawEndpointNotices,
  withdrawSkipped,
  withdrawStopped,
  withdrawUnreadable,
} from "@/lib/webhooks/subscriptions/endpoint-notice";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";
import { SUBSCRIPTION_EVENTS } from "@/lib/webhooks/subscriptions/subscription-events";
import { SubscriptionParams } from "@/lib/webhooks/subscriptions/webhook-subscription";

export const DeleteWebhookSubscription = contract({
  summary: "Delete a webhook subscription",
  description:
    "Deletes a webhook subscription. Trunkline stops delivering to the endpoint, skips pending deliveries and deletes the signing secret.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: SubscriptionParams,
  status: 204,
  errors: ["subscription_not_found", "access_denied"],
});

const DELETE_WEBHOOK_SUBSCRIPTION = plannedStatement(
  "delete-webhook-subscription",
  `update webhook_subscriptions
  set deleted_at = :now, updated_at = :now, is_active = false, signing_secret = '',
    previous_secret = null, previous_secret_until = null
  where account_id = :accountId and id = :id and deleted_at is null
  returning target_url as "targetUrl"`,
);

/**
 * Deletes a subscription: deliveries stop, pending deliveries are skipped and the signing secret is deleted. The
 * delivery history is kept. Errors: subscription_not_found, access_denied.
 */
export async function deleteWebhookSubscription(
  ctx: Context,
  { params }: Input<typeof DeleteWebhookSubscription>,
): Promise<undefined> {
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);

  await transaction(async (tx) => {
    const [ended] = await tx.run(DELETE_WEBHOOK_SUBSCRIPTION, {
      accountId: ctx.account.id,
      id,
      now: ctx.now,
    });
    if (ended === undefined) return fail("subscription_not_found");
    const webhook_subscription = subscriptionRef({ id, targetUrl: ended.targetUrl });
    const detail = { target_url: webhook_subscription.target_url };
    await recordAudit(tx, ctx, "webhook_subscription.deleted", "webhook_subscription", id, detail);
    await emitAccountEvent(tx, requestChange(ctx), SUBSCRIPTION_EVENTS["webhook_subscription.deleted"], {
      webhook_subscription,
    });
    await withdrawEndpointNotices(tx, { accountId: ctx.account.id, id }, ctx.now);
    await withdrawSkipped(tx, { accountId: ctx.account.id, id }, ctx.now);
    await withdrawStopped(tx, { accountId: ctx.account.id, id }, ctx.now);
    await withdrawUnreadable(tx, { accountId: ctx.account.id, id }, ctx.now);
    tx.wake("deliveries");
  });
  await mendQueuesOf(ctx.account.id, id);
  await deleteSequences(ctx.account.id, id);
}

const DELETE_ENDPOINT_SEQUENCES = plannedStatement(
  "delete-endpoint-sequences",
  "delete from webhook_sequences where account_id = :accountId and subscription_id = :id",
);

// A deleted subscription gets no further deliveries, so its sequence numbers can be deleted. This is a separate
// transaction because the event above locks the rows of other subscriptions, which an emitter may hold. Rows left by a
// crash are deleted with the account.
async function deleteSequences(accountId: string, id: string): Promise<void> {
  await sql.run(DELETE_ENDPOINT_SEQUENCES, { accountId, id });
}
