import "server-only";
import { type Sql, transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { hasSqlState } from "@/lib/platform/has-sql-state";

/** The hot statements share the pool: searches of this process may hold so many of its connections. */
const AT_ONCE = 2;
const CANCELED_BY_TIMEOUT = "57014";

// Without materialized inner sides a subscription that has grown since the last ANALYZE is looked up by index, event by
// event, instead of being walked through for each.
const SETTINGS = `select set_config('statement_timeout', $1, true),
  set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_material', 'off', true)`;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs statements whose cost a user decides: planned for their very values, few at a time, ended after `timeoutMs`.
 * Errors: parameter_invalid when that was not enough.
 */
export async function boundedSearch<Result>(
  timeoutMs: number,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await transaction(async (tx) => {
      await tx.query({
        text: SETTINGS,
        values: [`${timeoutMs}`],
      });
      return work(tx);
    });
  } catch (error) {
    if (hasSqlState(error, CANCELED_BY_TIMEOUT)) failTooLong(timeoutMs);
    throw error;
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

function failTooLong(timeoutMs: number): never {
  const seconds = timeoutMs / 1000;
  return fail(
    "parameter_invalid",
    `the search takes longer than ${seconds} seconds: narrow it by time or type`,
  );
}
