import "server-only";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";

const BATCH_ROWS = 500;
const DAY_MS = 86_400_000;

// Attempts are deleted with their deliveries. An event with a pending delivery is kept whole until a later sweep.
const SWEEP = `with seen as (
    select account_id, seq, created_at from events where seq > $1 order by seq limit $2
  ), due as (
    select e.account_id, e.seq from seen s join events e on e.account_id = s.account_id and e.seq = s.seq
    where s.created_at < $3 and not exists (
      select 1 from webhook_deliveries d
      where d.account_id = s.account_id and d.event_seq = s.seq and d.status = 'waiting')
    for update of e skip locked
  ), deliveries as (
    delete from webhook_deliveries d using due where d.account_id = due.account_id and d.event_seq = due.seq
  ), swept as (
    delete from events e using due where e.account_id = due.account_id and e.seq = due.seq returning 1
  )
  select max(seq)::text as last, count(*)::int as seen, count(*) filter (where created_at < $3)::int as old,
    (select count(*)::int from swept) as swept
  from seen`;

interface SweptRow {
  last: string | null;
  seen: number;
  old: number;
  swept: number;
}

/**
 * Deletes events older than EVENT_LOG_DAYS with their deliveries and attempts, oldest first and in short statements,
 * until none are left or `stop` is aborted. Events with pending deliveries are kept.
 */
export async function sweepEvents(stop: AbortSignal): Promise<number> {
  const before = new Date(now().getTime() - env().EVENT_LOG_DAYS * DAY_MS);
  let swept = 0;
  let after = "0";
  while (!stop.aborted) {
    const [row] = await sql.query<SweptRow>({ text: SWEEP, values: [after, BATCH_ROWS, before] });
    swept += row?.swept ?? 0;
    if (!row?.last || row.old === 0 || row.seen < BATCH_ROWS) break;
    after = row.last;
  }
  return swept;
}
