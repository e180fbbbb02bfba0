import "server-only";
import { poolSizes, type Sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";

/** Searches leave at least half of each pool's connections to the statements of sends, deliveries and pages. */
const MAX_CONCURRENT = 3;
/** One account's slow searches occupy one core of PostgreSQL, never all of them. */
const MAX_CONCURRENT_PER_ACCOUNT = 1;
const MAX_WAITING_PER_ACCOUNT = 50;
const CANCELED_BY_TIMEOUT = "57014";

// The same settings on both pools. With materialized inner sides, a subscription that has grown since the last ANALYZE
// would be scanned in full for each event instead of being looked up by index.
const SETTINGS = plannedStatement(
  "bounded-search",
  `select set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('enable_seqscan', 'on', true), set_config('enable_material', 'off', true)`,
);

interface SearchSlots {
  fair: FairSlots;
  /** How many searches may run on the cool pool; the others run on the hot pool. */
  cool: number;
}

let slots: SearchSlots | undefined;
let runningOnCool = 0;

function searchSlots(): SearchSlots {
  slots ??= createSlots(poolSizes());
  return slots;
}

function createSlots(sizes: { hot: number; cool: number }): SearchSlots {
  const hot = Math.floor(sizes.hot / 2);
  // With one connection in each pool, a search delays lists and pages instead of sends.
  const cool = Math.max(Math.floor(sizes.cool / 2), hot === 0 ? 1 : 0);
  const fair = new FairSlots({
    total: Math.min(MAX_CONCURRENT, hot + cool),
    perOwner: MAX_CONCURRENT_PER_ACCOUNT,
    waitingPerOwner: MAX_WAITING_PER_ACCOUNT,
  });
  return { fair, cool };
}

/**
 * Runs statements whose cost depends on the user's input: planned for their exact values, a few at a time, in turns
 * between the accounts, and canceled after `timeoutMs`. Time in the queue does not count. Errors: parameter_invalid
 * after the timeout, rate_limited when the account has too many waiting searches.
 */
export async function boundedSearch<Result>(
  accountId: string,
  timeoutMs: number,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  try {
    return await searchSlots().fair.run(accountId, () =>
      runOnEitherPool((isCool) =>
        transaction(
          async (tx) => {
            await tx.run(SETTINGS);
            return work(tx);
          },
          { statementMs: timeoutMs, isCool },
        ),
      ),
    );
  } catch (error) {
    if (hasSqlState(error, CANCELED_BY_TIMEOUT)) failTooLong(timeoutMs);
    throw error;
  }
}

async function runOnEitherPool<Result>(work: (isCool: boolean) => Promise<Result>): Promise<Result> {
  const isCool = runningOnCool < searchSlots().cool;
  if (isCool) runningOnCool++;
  try {
    return await work(isCool);
  } finally {
    if (isCool) runningOnCool--;
  }
}

function failTooLong(timeoutMs: number): never {
  const seconds = timeoutMs / 1000;
  return fail(
    "parameter_invalid",
    `the search took longer than ${seconds} seconds: filter by time or event type`,
  );
}
