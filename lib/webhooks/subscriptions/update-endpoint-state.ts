import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import {
  noticeIfStopped,
  withdrawEndpointNotices,
  withdrawSkipped,
  withdrawStopped,
} from "@/lib/webhooks/subscriptions/endpoint-notice";
import { endsOrder, isOrdered } from "@/lib/webhooks/subscriptions/ordering-settings";
import { resumeReplays } from "@/lib/webhooks/subscriptions/resume-replays";
import type { SubscriptionRow } from "@/lib/webhooks/subscriptions/webhook-subscription";

/**
 * Updates an endpoint's state after a user changed it. A pause is stored with its time. When the endpoint is enabled
 * again or gets another target, its health is reset and evaluated only by attempts from the next full hour on. Enabling
 * it also resumes the replays that its pause had paused, and notifies users of chats that are still stopped.
 */
export async function updateEndpointState(
  tx: Sql,
  accountId: string,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<void> {
  const at = after.updatedAt;
  if (before.isActive && !after.isActive) {
    await recordPause(tx, accountId, after.id, at);
    await withdrawSkipped(tx, { accountId, id: after.id }, at);
  }
  const endpoint = { accountId, id: after.id, targetUrl: after.targetUrl };
  if (endsOrder(before, after)) await withdrawStopped(tx, endpoint, at);
  // The schedule may not have come to the chats that were stopped before.
  if (isOrdered(after) && !isOrdered(before)) await noticeIfStopped(tx, endpoint, at);
  const isEnabled = after.isActive && !before.isActive;
  if (isEnabled || after.targetUrl !== before.targetUrl) await restartHealth(tx, accountId, after, at);
  if (isEnabled) await resumeReplays(tx, { accountId, subscriptionId: after.id }, at);
}

const RECORD_ENDPOINT_PAUSE = plannedStatement(
  "record-endpoint-pause",
  `update webhook_subscriptions set disabled_at = :disabledAt, disabled_reason = 'manual'
  where account_id = :accountId and id = :id`,
);

async function recordPause(tx: Sql, accountId: string, id: string, at: Date): Promise<void> {
  await tx.run(RECORD_ENDPOINT_PAUSE, { accountId, id, disabledAt: at });
}

const RESTART_ENDPOINT_HEALTH = plannedStatement(
  "restart-endpoint-health",
  `update webhook_subscriptions
  set failing_since = null, warned_percent = 0, gone_at = null, rated_from = :ratedFrom,
    disabled_at = case when not is_active then disabled_at end,
    disabled_reason = case when not is_active then disabled_reason end
  where account_id = :accountId and id = :afterId`,
);

async function restartHealth(tx: Sql, accountId: string, after: SubscriptionRow, at: Date): Promise<void> {
  await tx.run(RESTART_ENDPOINT_HEALTH, { accountId, afterId: after.id, ratedFrom: at });
  await withdrawEndpointNotices(tx, { accountId, id: after.id }, at);
}
