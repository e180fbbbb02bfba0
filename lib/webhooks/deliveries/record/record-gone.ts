import "server-only";
import { sql } from "@/lib/platform/database/db";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { disableWebhookSubscription } from "@/lib/webhooks/subscriptions/disable-webhook-subscription";

const DISABLE_AFTER_MS = 60 * 60_000;

/**
 * Handles a 410 response. The first one is recorded; another one at least an hour later, without a success in between,
 * disables the subscription, because deployments often return 410 by mistake (contract.md 0). Platform clock.
 */
export async function recordGone(
  { accountId, partnerId, subscription }: ClaimedDelivery,
  startedAt: Date,
  at: Date,
): Promise<void> {
  const [row] = await sql.query<{ gone_at: Date }>({
    name: "note-gone",
    text: `update webhook_subscriptions set gone_at = coalesce(gone_at, $3)
           where account_id = $1 and id = $2 and is_active and (rated_from is null or rated_from <= $3)
           returning gone_at`,
    values: [accountId, subscription.id, startedAt],
  });
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

/** Clears the recorded 410 after a success, so that the next one counts as the first. */
export async function clearGone({ accountId, subscription }: ClaimedDelivery): Promise<void> {
  if (subscription.goneAt === null) return;
  await sql.query({
    name: "forget-gone",
    text: "update webhook_subscriptions set gone_at = null where account_id = $1 and id = $2",
    values: [accountId, subscription.id],
  });
}
