import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";

const DAY_MS = 86_400_000;

const SWEEP = plannedStatement(
  "sweep-replays",
  `with swept as (
    delete from webhook_replays where ended_at < :before returning 1
  ), canceled as (
    update webhook_replays set state = 'canceled', run_at = :runAt,
      reason = 'it was paused for longer than events are kept'
    where state = 'paused' and created_at < :before returning 1
  )
  select (select count(*)::int from swept) as swept, (select count(*)::int from canceled) as canceled`,
);

/**
 * Deletes replays that ended EVENT_LOG_DAYS ago, and cancels replays that have been paused for that long, because their
 * pending deliveries would keep their events forever.
 */
export async function sweepReplays(): Promise<number> {
  const at = now();
  const before = new Date(at.getTime() - env().EVENT_LOG_DAYS * DAY_MS);
  const [row] = await sql.run(SWEEP, { before, runAt: at });
  if (row === undefined) return 0;
  if (row.canceled > 0) sql.wake("replays");
  return row.swept + row.canceled;
}
