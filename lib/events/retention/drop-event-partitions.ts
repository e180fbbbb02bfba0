import "server-only";
import { ATTEMPTS, EVENTS, lastEventOf, lastNumber } from "@/lib/events/retention/event-partitions";
import { markLostEvents } from "@/lib/events/retention/mark-lost-events";
import { type Sql, sql } from "@/lib/platform/database/db";
import {
  changePartitions,
  detachPartition,
  dropTable,
  listPartitions,
  type Partition,
} from "@/lib/platform/database/partitions";
import { plannedStatement } from "@/lib/platform/database/statement";
import { runInBatches, SWEEP_REST } from "@/lib/platform/tasks/run-in-batches";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 2000;

// Deliveries stay with their event while they are pending. Those of a replay may have been created or have ended while
// the partition is being dropped.
const KEPT = `select d.account_id, d.event_seq from webhook_deliveries d
    where d.run_at is not null and d.event_seq >= $1 and d.event_seq < $2
  union
  select d.account_id, d.event_seq from webhook_deliveries d
    where d.queue_chat_id is not null and d.status = 'waiting' and d.event_seq >= $1 and d.event_seq < $2
  union
  select d.account_id, d.event_seq from webhook_replays r
    join webhook_deliveries d on d.account_id = r.account_id and d.replay_id = r.id
    where (r.ended_at is null or r.ended_at >= $3) and d.event_seq >= $1 and d.event_seq < $2`;

// Reads account by account, because the index starts with it.
const DELETE_ENDED_DELIVERIES = plannedStatement(
  "delete-ended-deliveries",
  `with recursive account as (
    (select account_id as id from webhook_deliveries order by account_id limit 1)
    union all
    select (select d.account_id from webhook_deliveries d where d.account_id > a.id order by d.account_id limit 1)
    from account a where a.id is not null
  ), due as (
    select old.account_id, old.id from account a cross join lateral (
      select d.account_id, d.id from webhook_deliveries d
      where d.account_id = a.id and d.event_seq >= :from and d.event_seq < :to and d.status <> 'waiting'
      order by d.event_seq limit ${BATCH_ROWS}
    ) old limit ${BATCH_ROWS}
  ), swept as (
    delete from webhook_deliveries d using due where d.account_id = due.account_id and d.id = due.id returning 1
  )
  select count(*)::int as count from swept`,
);

/**
 * Drops the partitions whose last event is older than `before`, with their attempts, and deletes their deliveries in
 * short statements. Events with a pending delivery move to the default partition. The current partition stays. Stops
 * when `stop` is aborted, and the next call continues. Returns the number of partitions dropped.
 */
export async function dropEventPartitions(before: Date, stop: AbortSignal): Promise<number> {
  const last = await lastNumber(sql);
  let dropped = 0;
  for (const partition of await listPartitions(sql, EVENTS)) {
    if (stop.aborted || BigInt(partition.to) > last) break;
    const lastEvent = await lastEventOf(partition);
    if (lastEvent !== null && lastEvent.createdAt >= before) continue;
    if (await dropPartition(partition, stop)) dropped++;
  }
  return dropped;
}

// Attempts go first, so that deleting a delivery finds none.
async function dropPartition(partition: Partition, stop: AbortSignal): Promise<boolean> {
  const range = { from: partition.from ?? "0", to: partition.to };
  const kept = [range.from, range.to, now()];
  const attempts = (await listPartitions(sql, ATTEMPTS)).find(({ to }) => to === partition.to);
  if (attempts !== undefined) {
    await changePartitions(stop, async (tx) => {
      await detachPartition(tx, ATTEMPTS, attempts);
      await tx.runText({
        text: `insert into webhook_attempts select a.* from (${KEPT}) kept
               join ${attempts.name} a on a.account_id = kept.account_id and a.event_seq = kept.event_seq`,
        values: kept,
      });
      await dropTable(tx, attempts);
    });
  }
  if (!(await deleteEnded(range, stop))) return false;
  await changePartitions(stop, (tx) => dropEvents(tx, partition, kept));
  return true;
}

async function dropEvents(tx: Sql, partition: Partition, kept: readonly unknown[]): Promise<void> {
  await detachPartition(tx, EVENTS, partition);
  await markLostEvents(tx, partition.name);
  await tx.runText({
    text: `insert into events select e.* from (${KEPT}) kept
           join ${partition.name} e on e.account_id = kept.account_id and e.seq = kept.event_seq`,
    values: kept,
  });
  await dropTable(tx, partition);
}

/** Returns false when it was stopped before all were deleted. */
function deleteEnded(range: { from: string; to: string }, stop: AbortSignal): Promise<boolean> {
  const deleteBatch = async () => {
    const [row] = await sql.run(DELETE_ENDED_DELIVERIES, range);
    return row?.count === BATCH_ROWS;
  };
  return runInBatches(deleteBatch, { rest: SWEEP_REST, stop });
}
