import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { withdrawEndpointNotices } from "@/lib/webhooks/subscriptions/endpoint-notice";
import type { SubscriptionRow } from "@/lib/webhooks/subscriptions/webhook-subscription";

/**
 * Updates an endpoint's state after a user changed it. A pause is stored with its time. When the endpoint is enabled
 * again or gets another target, its health is reset and evaluated only by attempts from the next full hour on.
 */
export async function updateEndpointState(
  tx: Sql,
  accountId: string,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<void> {
  const at = after.updatedAt;
  if (before.isActive && !after.isActive) await recordPause(tx, accountId, after.id, at);
  const isEnabled = after.isActive && !before.isActive;
  if (isEnabled || after.targetUrl !== before.targetUrl) await restartHealth(tx, accountId, after, at);
}

async function recordPause(tx: Sql, accountId: string, id: string, at: Date): Promise<void> {
  await tx.query({
    text: `update webhook_subscriptions set disabled_at = $3, disabled_reason = 'manual'
           where account_id = $1 and id = $2`,
    values: [accountId, id, at],
  });
}

async function restartHealth(tx: Sql, accountId: string, after: SubscriptionRow, at: Date): Promise<void> {
  await tx.query({
    text: `update webhook_subscriptions
           set failing_since = null, warned_percent = 0, gone_at = null, rated_from = $3,
             disabled_at = case when not is_active then disabled_at end,
             disabled_reason = case when not is_active then disabled_reason end
           where account_id = $1 and id = $2`,
    values: [accountId, after.id, at],
  });
  await withdrawEndpointNotices(tx, { accountId, id: after.id }, at);
}
