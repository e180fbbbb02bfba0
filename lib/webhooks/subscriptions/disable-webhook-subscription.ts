import "server-only";
import { emitAccountEvent, systemChange } from "@/lib/events/store/emit-account-event";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { mendQueuesOf } from "@/lib/webhooks/deliveries/mend-queues";
import { subscriptionRef } from "@/lib/webhooks/subscriptions/emit-subscription-changes";
import { noticeDisabled, withdrawStopped } from "@/lib/webhooks/subscriptions/endpoint-notice";
import { SUBSCRIPTION_EVENTS } from "@/lib/webhooks/subscriptions/subscription-events";

export interface DisableReason {
  accountId: string;
  partnerId: string;
  id: string;
  reason: "gone" | "failing";
  /** The start of the failures. Failures from before the last enabling don't count. Platform clock. */
  since: Date;
  at: Date;
}

const BECAUSE = {
  gone: "The endpoint returned 410 Gone twice, at least one hour apart.",
  failing: "All attempts of the last five days failed.",
};

const REMEDY =
  "Trunkline keeps new events. Fix the endpoint, then resume it: Trunkline offers to replay the events that were skipped.";

/**
 * Disables an endpoint, with its event, audit entry and notice. From now on, its events are recorded as skipped. Does
 * nothing when the endpoint is not active, or was enabled again after `since`.
 */
export async function disableWebhookSubscription(disabling: DisableReason): Promise<void> {
  const { accountId, partnerId, id, reason, at } = disabling;
  const isDisabled = await transaction(async (tx) => {
    const targetUrl = await disable(tx, disabling);
    if (targetUrl === null) return false;

    const webhook_subscription = subscriptionRef({ id, targetUrl });
    await recordSystemAudit(
      tx,
      { partnerId, accountId, at },
      "webhook_subscription.disabled",
      "webhook_subscription",
      id,
      { reason, target_url: webhook_subscription.target_url },
    );
    const change = systemChange([accountId], at);
    await emitAccountEvent(tx, change, SUBSCRIPTION_EVENTS["webhook_subscription.disabled"], {
      webhook_subscription,
      reason,
    });
    await noticeDisabled(tx, { accountId, id, targetUrl }, { body: `${BECAUSE[reason]} ${REMEDY}`, at });
    await withdrawStopped(tx, { accountId, id }, at);
    tx.wake("deliveries");
    return true;
  });
  if (isDisabled) await mendQueuesOf(accountId, id);
}

const DISABLE_ENDPOINT = plannedStatement(
  "disable-endpoint",
  `update webhook_subscriptions
  set is_active = false, disabled_at = :disabledAt, disabled_reason = :reason::webhook_disabled_reason, updated_at = :disabledAt
  where account_id = :accountId and id = :id and is_active and (rated_from is null or rated_from <= :since)
  returning target_url`,
);

async function disable(tx: Sql, { accountId, id, reason, since, at }: DisableReason): Promise<string | null> {
  const [row] = await tx.run(DISABLE_ENDPOINT, { accountId, id, reason, disabledAt: at, since });
  return row?.target_url ?? null;
}
