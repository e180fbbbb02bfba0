import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** The `reason` of a replay that was paused because its endpoint was paused or disabled. */
export const ENDPOINT_NOT_ACTIVE = "the subscription is not active";

const RESUME_REPLAYS_OF_ENDPOINT = plannedStatement(
  "resume-replays-of-endpoint",
  `update webhook_replays set state = 'running', reason = null, run_at = :at
  where account_id = :accountId and subscription_id = :subscriptionId and state = 'paused' and ended_at is null
    and reason = '${ENDPOINT_NOT_ACTIVE}'
  returning id`,
);

/** Resumes the replays to an endpoint that was enabled, except those that a user paused. */
export async function resumeReplays(
  tx: Sql,
  { accountId, subscriptionId }: { accountId: string; subscriptionId: string },
  at: Date,
): Promise<void> {
  const resumed = await tx.run(RESUME_REPLAYS_OF_ENDPOINT, { accountId, subscriptionId, at });
  if (resumed.length > 0) tx.wake("replays");
}

const RESUME_STOPPED_REPLAYS = plannedStatement(
  "resume-stopped-replays",
  `update webhook_replays r set state = 'running', reason = null, run_at = :at
  from webhook_subscriptions s
  where r.state = 'paused' and r.ended_at is null and r.reason = '${ENDPOINT_NOT_ACTIVE}'
    and s.account_id = r.account_id and s.id = r.subscription_id and s.is_active and s.deleted_at is null
  returning r.id`,
);

/**
 * Like `resumeReplays`, for all endpoints: a replay can be paused at the same moment in which its endpoint is enabled.
 * Returns the number of replays resumed.
 */
export async function resumeStoppedReplays(on: Sql, at: Date): Promise<number> {
  const resumed = await on.run(RESUME_STOPPED_REPLAYS, { at });
  if (resumed.length > 0) on.wake("replays");
  return resumed.length;
}
