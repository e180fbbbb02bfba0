import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** Charts cover seven days, and the rule for disabling five. */
const KEEP_MS = 8 * 24 * 3_600_000;
const BATCH_ROWS = 5000;

const SWEEP_ATTEMPT_COUNTS = plannedStatement(
  "sweep-attempt-counts",
  `delete from webhook_attempt_counts where ctid = any(array(
  select ctid from webhook_attempt_counts where hour < :oldest limit :batchrows)) returning 1`,
);

/** Deletes counts that are no longer read, in short statements. Returns the number of rows deleted. */
export async function sweepAttemptCounts(stop: AbortSignal): Promise<number> {
  const oldest = new Date(now().getTime() - KEEP_MS);
  let swept = 0;
  while (!stop.aborted) {
    const rows = await sql.run(SWEEP_ATTEMPT_COUNTS, { oldest, batchrows: BATCH_ROWS });
    swept += rows.length;
    if (rows.length < BATCH_ROWS) break;
  }
  return swept;
}
