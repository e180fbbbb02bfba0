import "server-only";
import { transaction } from "@/lib/platform/database/db";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { noticeUnreadable } from "@/lib/webhooks/subscriptions/endpoint-notice";

/** Wait before a delivery's secret is read again. */
const WAIT_MS = 5 * 60_000;

/**
 * Postpones a delivery whose signing secret no key opens: it is due again in five minutes (platform clock), uses no
 * attempt, and adds a notice for users. Does nothing when another process has claimed the delivery since.
 */
export async function postponeUnreadable(delivery: ClaimedDelivery, at: Date): Promise<void> {
  const { accountId, id, attempt, subscription } = delivery;
  await transaction(async (tx) => {
    // The lock is held until the commit, so only one of several concurrent deliveries adds the notice.
    await tx.query({
      text: "select from webhook_subscriptions where account_id = $1 and id = $2 for no key update",
      values: [accountId, subscription.id],
    });
    await tx.query({
      text: `update webhook_deliveries set attempts = attempts - 1, lease_until = null, run_at = $4
             where account_id = $1 and id = $2 and attempts = $3 and status = 'waiting'`,
      values: [accountId, id, attempt, new Date(at.getTime() + WAIT_MS)],
    });
    await noticeUnreadable(tx, { accountId, id: subscription.id, targetUrl: subscription.targetUrl }, at);
  });
}
