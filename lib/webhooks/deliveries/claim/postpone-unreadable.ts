import "server-only";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { noticeUnreadable } from "@/lib/webhooks/subscriptions/endpoint-notice";

/** Wait before a delivery's secret is read again. */
const WAIT_MS = 5 * 60_000;

const LOCK_UNREADABLE_ENDPOINT = plannedStatement(
  "lock-unreadable-endpoint",
  "select from webhook_subscriptions where account_id = :accountId and id = :subscriptionId for no key update",
);

const POSTPONE_UNREADABLE_DELIVERY = plannedStatement(
  "postpone-unreadable-delivery",
  `update webhook_deliveries set attempts = attempts - 1, lease_until = null, run_at = :runAt
  where account_id = :accountId and id = :id and attempts = :attempt and status = 'waiting'`,
);

/**
 * Postpones a delivery whose signing secret no key opens: it is due again in five minutes (platform clock), uses no
 * attempt, and adds a notice for users. Does nothing when another process has claimed the delivery since.
 */
export async function postponeUnreadable(delivery: ClaimedDelivery, at: Date): Promise<void> {
  const { accountId, id, attempt, subscription } = delivery;
  await transaction(async (tx) => {
    // The lock is held until the commit, so only one of several concurrent deliveries adds the notice.
    await tx.run(LOCK_UNREADABLE_ENDPOINT, {
      accountId,
      subscriptionId: subscription.id,
    });
    await tx.run(POSTPONE_UNREADABLE_DELIVERY, {
      accountId,
      id,
      attempt,
      runAt: new Date(at.getTime() + WAIT_MS),
    });
    await noticeUnreadable(tx, { accountId, id: subscription.id, targetUrl: subscription.targetUrl }, at);
  });
}
