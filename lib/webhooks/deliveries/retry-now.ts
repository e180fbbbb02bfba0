import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { findActiveReplayTarget } from "@/lib/webhooks/replays/find-replay-target";

/** The most deliveries that one call makes due. The next call takes the others. */
const MAX_RETRIED = 10_000;

export const RetryNow = contract({
  summary: "Retry failed deliveries of an endpoint now",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  returns: z.object({
    /** How many deliveries are due now, at most 10,000. Another call takes further ones. */
    retried: z.int(),
  }),
  status: 200,
  errors: ["subscription_not_found", "access_denied", "state_conflict"],
});

/**
 * Makes the next attempts of deliveries that wait for a retry due now, those with the earliest time first. Such an
 * attempt counts like any other, but the wait that it skips does not. Errors: subscription_not_found, access_denied,
 * state_conflict while the subscription is paused or disabled.
 */
export async function retryNow(ctx: Context, { params }: Pick<Input<typeof RetryNow>, "params">) {
  const { id } = await findActiveReplayTarget(ctx, params.subscriptionId);
  return transaction(async (tx) => {
    const retried = await makeDue(tx, ctx, id);
    if (retried > 0) {
      await recordAudit(tx, ctx, "webhook_subscription.retried", "webhook_subscription", id, { retried });
      tx.wake("deliveries");
    }
    return { retried };
  });
}

const RETRY_DELIVERIES_NOW = plannedStatement(
  "retry-deliveries-now",
  `with later as (
    select account_id, id from webhook_deliveries
    where account_id = :accountId and subscription_id = :subscriptionId and run_at > :now::timestamptz + interval '1 second' and attempts > 0
    order by run_at limit :maxretried for no key update skip locked
  ), made_due as (
    update webhook_deliveries d
    set run_at = :now,
      waited_ms = greatest(0, d.waited_ms - (extract(epoch from d.run_at - :now) * 1000)::int)
    from later where d.account_id = later.account_id and d.id = later.id
    returning 1)
  select count(*)::int as retried from made_due`,
);

// A delivery that is being attempted was due before, so its time is not in the future and it is left alone. One that is
// due within a second needs no retry: a request at the same time, which began a moment later, may have made it due.
async function makeDue(tx: Sql, ctx: Context, subscriptionId: string): Promise<number> {
  const [row] = await tx.run(RETRY_DELIVERIES_NOW, {
    accountId: ctx.account.id,
    subscriptionId,
    now: ctx.now,
    maxretried: MAX_RETRIED,
  });
  return row?.retried ?? 0;
}
