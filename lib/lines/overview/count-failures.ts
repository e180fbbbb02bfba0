import "server-only";
import { sql } from "@/lib/platform/database/db";
import { firstIdAt } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** A message fails, or a late receipt reverses its failure, within this time. */
const SETTLED_MS = 3 * 24 * 60 * 60_000;
const NONE = "00000000-0000-0000-0000-000000000000";

/**
 * Counts each account's failed messages that are older than three days into `line_days`, each once. Ends early once
 * `stop` is aborted. Returns the number of accounts with new counts.
 */
export async function countFailures(stop: AbortSignal): Promise<number> {
  const until = firstIdAt(now().getTime() - SETTLED_MS);
  const due = await sql.query<{ id: string }>({
    name: "accounts-with-failures-to-count",
    text: `select a.id from accounts a where exists (
             select from messages m where m.account_id = a.id and m.failed_at is not null
               and m.id >= coalesce(a.failures_to, '${NONE}') and m.id < $1)`,
    values: [until],
  });
  for (const [counted, { id }] of due.entries()) {
    if (stop.aborted) return counted;
    await sql.query({ name: "count-failures", text: COUNT, values: [id, until] });
  }
  return due.length;
}

// Locks the account's row, so that two processes that count concurrently count each failure once.
const COUNT = `with account as materialized (
    select coalesce(failures_to, '${NONE}') as since from accounts where id = $1 for no key update
  ), counted as (
    select line_id, (created_at at time zone 'UTC')::date as day, count(*) as failed
    from messages
    where account_id = $1 and failed_at is not null and is_from_me and delivery_status = 'failed'
      and id >= (select since from account) and id < $2
    group by 1, 2 order by 1, 2
  ), stored as (
    insert into line_days as l (account_id, line_id, day, sent, received, failed)
    select $1, line_id, day, 0, 0, failed from counted
    on conflict (account_id, day, line_id) do update set failed = l.failed + excluded.failed
  )
  update accounts a set failures_to = $2 from account where a.id = $1 and account.since < $2`;
