import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { disableWebhookSubscription } from "@/lib/webhooks/subscriptions/disable-webhook-subscription";

const DISABLE_AFTER_MS = 60 * 60_000;

const MARK_ENDPOINT_GONE = statement(
  "mark-endpoint-gone",
  `update webhook_subscriptions set gone_at = coalesce(gone_at, :startedAt)
  where account_id = :accountId and id = :subscriptionId and is_active and (rated_from is null or rated_from <= :startedAt)
  returning gone_at as "gone_at!"`,
);

/**
 * Handles a 410 response. The first one is recorded; another one at least an hour later, without a success in between,
 * disables the subscription, because deployments often return 410 by mistake (docs/contract.md, section 12.8). Platform
 * clock.
 */
export async function recordGone(
  { accountId, partnerId, subscription }: ClaimedDelivery,
  startedAt: Date,
  at: Date,
): Promise<void> {
  const [row] = await sql.run(MARK_ENDPOINT_GONE, { accountId, subscriptionId: subscription.id, startedAt });
  if (row === undefined || startedAt.getTime() - row.gone_at.getTime() < DISABLE_AFTER_MS) return;
  await disableWebhookSubscription({
    accountId,
    partnerId,
    id: subscription.id,
    reason: "gone",
    since: startedAt,
    at,
  });
}

const CLEAR_ENDPOINT_GONE = statement(
  "clear-endpoint-gone",
  "update webhook_subscriptions set gone_at = null where account_id = :accountId and id = :subscriptionId",
);

/** Clears the recorded 410 after a success, so that the next one counts as the first. */
export async function clearGone({ accountId, subscription }: ClaimedDelivery): Promise<void> {
  if (subscription.goneAt === null) return;
  await sql.run(CLEAR_ENDPOINT_GONE, { accountId, subscriptionId: subscription.id });
}
