import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** A message fails, or a late receipt reverses its failure, within this time. */
const SETTLED_MS = 3 * 24 * 60 * 60_000;
const NONE = "00000000-0000-0000-0000-000000000000";

const ACCOUNTS_WITH_FAILURES_TO_COUNT = statement(
  "accounts-with-failures-to-count",
  `select a.id from accounts a where exists (
  select from messages m where m.account_id = a.id and m.failed_at is not null
    and m.id >= coalesce(a.failures_to, '${NONE}') and m.id < :until)`,
);

/**
 * Counts each account's failed messages that are older than three days into `line_days`, each once. Ends early once
 * `stop` is aborted. Returns the number of accounts with new counts.
 */
export async function countFailures(stop: AbortSignal): Promise<number> {
  const until = firstIdAt(now().getTime() - SETTLED_MS);
  const due = await sql.run(ACCOUNTS_WITH_FAILURES_TO_COUNT, { until });
  for (const [counted, { id }] of due.entries()) {
    if (stop.aborted) return counted;
    await sql.run(COUNT, { id, until });
  }
  return due.length;
}

// Locks the account's row, so that two processes that count concurrently count each failure once.
const COUNT = statement(
  "count-failures",
  `with account as materialized (
    select coalesce(failures_to, '${NONE}') as since from accounts where id = :id for no key update
  ), counted as (
    select line_id, (created_at at time zone 'UTC')::date as day, count(*) as failed
    from messages
    where account_id = :id and failed_at is not null and is_from_me and delivery_status = 'failed'
      and id >= (select since from account) and id < :until
    group by 1, 2 order by 1, 2
  ), stored as (
    insert into line_days as l (account_id, line_id, day, sent, received, failed)
    select :id, line_id, day, 0, 0, failed from counted
    on conflict (account_id, day, line_id) do update set failed = l.failed + excluded.failed
  )
  update accounts a set failures_to = :until from account where a.id = :id and account.since < :until`,
);
