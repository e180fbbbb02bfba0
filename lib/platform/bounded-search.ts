import "server-only";
import { type Sql, transaction } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { FairSlots } from "@/lib/platform/fair-slots";
import { hasSqlState } from "@/lib/platform/has-sql-state";

/** Searches leave at least half of the pool's connections to the statements of sends and deliveries. */
const MAX_CONCURRENT = 3;
/** One account's slow searches occupy one core of PostgreSQL, never all of them. */
const MAX_CONCURRENT_PER_ACCOUNT = 1;
const MAX_WAITING_PER_ACCOUNT = 50;
const CANCELED_BY_TIMEOUT = "57014";

// Without materialized inner sides a subscription that has grown since the last ANALYZE is looked up by index, event by
// event, instead of being walked through for each.
const SETTINGS = `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_material', 'off', true)`;

let slots: FairSlots | undefined;

function searchSlots(): FairSlots {
  slots ??= new FairSlots({
    total: Math.min(MAX_CONCURRENT, Math.max(1, Math.floor(env().DATABASE_POOL_SIZE / 2))),
    perOwner: MAX_CONCURRENT_PER_ACCOUNT,
    waitingPerOwner: MAX_WAITING_PER_ACCOUNT,
  });
  return slots;
}

/**
 * Runs statements whose cost a user decides: planned for their exact values, few at a time and in fair turns among the
 * accounts, canceled after `timeoutMs`. The time in the queue does not count. Errors: parameter_invalid when the time was
 * not enough, rate_limited when the account has too many searches waiting.
 */
export async function boundedSearch<Result>(
  accountId: string,
  timeoutMs: number,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  try {
    return await searchSlots().run(accountId, () =>
      transaction(
        async (tx) => {
          await tx.query({ text: SETTINGS });
          return work(tx);
        },
        { statementMs: timeoutMs },
      ),
    );
  } catch (error) {
    if (hasSqlState(error, CANCELED_BY_TIMEOUT)) failTooLong(timeoutMs);
    throw error;
  }
}

function failTooLong(timeoutMs: number): never {
  const seconds = timeoutMs / 1000;
  return fail(
    "parameter_invalid",
    `the search takes longer than ${seconds} seconds: filter by time or event type`,
  );
}
