import "server-only";
import { dropEventPartitions } from "@/lib/events/retention/drop-event-partitions";
import { EVENTS, eventPeriodMs, firstEventOf } from "@/lib/events/retention/event-partitions";
import { MARK_SWEPT_EVENTS } from "@/lib/events/retention/mark-lost-events";
import { sql } from "@/lib/platform/database/db";
import { listPartitions } from "@/lib/platform/database/partitions";
import { env } from "@/lib/platform/env";
import { runInBatches, SWEEP_REST } from "@/lib/platform/tasks/run-in-batches";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 500;
const DAY_MS = 86_400_000;

interface SweptRow {
  last: string | null;
  seen: number;
  old: number;
  swept: number;
}

/**
 * Drops the partitions of events that are all older than EVENT_LOG_DAYS: an event is kept for that long, and for at most
 * one partition's period longer. Events outside the partitions of a period are deleted in short statements, oldest
 * first. Deliveries and attempts are deleted with their events, and events with pending deliveries are kept. Stops when
 * `stop` is aborted. Returns the number of partitions dropped and events deleted.
 */
export async function sweepEvents(stop: AbortSignal): Promise<number> {
  const before = new Date(now().getTime() - env().EVENT_LOG_DAYS * DAY_MS);
  let swept = await dropEventPartitions(before, stop);
  for (const table of await tablesToSweep(before)) {
    swept += await sweepTable(table, before, stop);
    if (stop.aborted) break;
  }
  return swept;
}

/**
 * Partitions with events that are older than a partition's period allows, which are those from before the table was
 * partitioned, and the default partition, which contains the events that outlive their partition.
 */
async function tablesToSweep(before: Date): Promise<string[]> {
  const tables = [];
  const tooOld = before.getTime() - eventPeriodMs() - DAY_MS;
  for (const partition of await listPartitions(sql, EVENTS)) {
    const first = await firstEventOf(partition);
    if (first !== null && first.createdAt.getTime() < tooOld) tables.push(partition.name);
  }
  return [...tables, `${EVENTS.name}_default`];
}

async function sweepTable(table: string, before: Date, stop: AbortSignal): Promise<number> {
  let swept = 0;
  let after = "0";
  const sweepBatch = async () => {
    // Attempts are deleted with their deliveries. An event with a pending delivery is kept whole until a later sweep.
    const [row] = await sql.runText<SweptRow>({
      text: `with seen as (
          select account_id, seq, created_at from ${table} where seq > $1 order by seq limit $2
        ), due as (
          select e.account_id, e.seq from seen s join ${table} e on e.account_id = s.account_id and e.seq = s.seq
          where s.created_at < $3 and not exists (
            select 1 from webhook_deliveries d
            where d.account_id = s.account_id and d.event_seq = s.seq and d.status = 'waiting')
          for update of e skip locked
        ), deliveries as (
          delete from webhook_deliveries d using due where d.account_id = due.account_id and d.event_seq = due.seq
        ), swept as (
          delete from ${table} e using due where e.account_id = due.account_id and e.seq = due.seq returning e.account_id, e.seq, e.internal
        ), ${MARK_SWEPT_EVENTS}
        select max(seq)::text as last, count(*)::int as seen, count(*) filter (where created_at < $3)::int as old,
          (select count(*)::int from swept) as swept
        from seen`,
      values: [after, BATCH_ROWS, before],
    });
    swept += row?.swept ?? 0;
    if (!row?.last || row.old === 0 || row.seen < BATCH_ROWS) return false;
    after = row.last;
    return true;
  };
  await runInBatches(sweepBatch, { rest: SWEEP_REST, stop });
  return swept;
}
