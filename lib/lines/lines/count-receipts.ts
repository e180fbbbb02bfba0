import "server-only";
import { seqBlock } from "@/lib/events/event-blocks";
import { firstSeqAt, midnightOf, receiptsFrom } from "@/lib/lines/lines/receipts-of-today";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";

/** Longer than the time between an event's number and its commit, so no event with a lower number can still appear. */
const SETTLED_MS = 10 * 60_000;

/**
 * Counts each account's delivery receipts that are older than ten minutes into `line_days`, each once: a message has one
 * `message.delivered` event. The first count of an account starts at midnight (UTC). Ends early once `stop` is aborted.
 * Returns the number of accounts with new events.
 */
export async function countReceipts(stop: AbortSignal): Promise<number> {
  const at = now();
  const until = new Date(at.getTime() - SETTLED_MS);
  const due = await sql.query<{ id: string }>({
    name: "accounts-with-receipts-to-count",
    text: `select a.id from accounts a where exists (
             select from events e
             where e.account_id = a.id and e.type = 'message.delivered' and not e.internal
               and ${seqBlock("e.seq")} >= ${seqBlock("coalesce(a.receipts_to, 0)")} and e.seq >= coalesce(a.receipts_to, 0))`,
  });
  for (const [counted, { id }] of due.entries()) {
    if (stop.aborted) return counted;
    await sql.query({ name: "count-receipts", text: COUNT, values: [id, until, midnightOf(at)] });
  }
  return due.length;
}

// Locks the account's row, so that two processes that count concurrently count each receipt once.
const COUNT = `with account as materialized (
    select receipts_to from accounts where id = $1 for no key update
  ), range as materialized (
    select coalesce((select receipts_to from account), ${firstSeqAt("$3::timestamptz")}) as since,
      coalesce(${firstSeqAt("$2::timestamptz")}, (select max(seq) + 1 from events where account_id = $1)) as until
  ), counted as (
    select e.line_id, (e.created_at at time zone 'UTC')::date as day, count(*) as delivered
    from events e
    where ${receiptsFrom("(select since from range)")} and e.seq < (select until from range) and e.line_id is not null
    group by 1, 2 order by 1, 2
  ), stored as (
    insert into line_days as l (account_id, line_id, day, sent, received, delivered)
    select $1, line_id, day, 0, 0, delivered from counted
    on conflict (account_id, day, line_id) do update set delivered = l.delivered + excluded.delivered
  )
  update accounts a set receipts_to = r.until from range r
  where a.id = $1 and r.until > coalesce(a.receipts_to, 0) and r.since is not null`;
