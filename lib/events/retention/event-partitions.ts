import "server-only";
import { type Sql, sql } from "@/lib/platform/database/db";
import {
  addPartition,
  changePartitions,
  listPartitions,
  type Partition,
  type PartitionedTable,
  partitionDays,
} from "@/lib/platform/database/partitions";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";

const DAY_MS = 86_400_000;
/** The numbers of the smallest partition. */
const LEAST_NUMBERS = 2n ** 22n;
/** A partition has room for this many times the events of the largest so far. */
const ROOM = 4n;
/** Partitions that exist beyond the current one. Each partition makes statements a little dearer (decision 0015). */
const AHEAD = 1;

/** Events and webhook attempts, partitioned by the event's number. Their partitions have the same ranges. */
export const EVENTS: PartitionedTable = { name: "events", key: "seq" };
export const ATTEMPTS: PartitionedTable = { name: "webhook_attempts", key: "event_seq" };

/** An event at the end of a partition. */
export interface EdgeEvent {
  seq: bigint;
  createdAt: Date;
}

/** How long the events of one partition are stored in it, in ms. */
export function eventPeriodMs(): number {
  return partitionDays(env().EVENT_LOG_DAYS) * DAY_MS;
}

const LAST_EVENT_SEQ = plannedStatement(
  "last-event-seq",
  "select (case when is_called then last_value else last_value - 1 end)::text as last from events_seq_seq",
);

/** The last number that any event got. */
export async function lastNumber(on: Sql): Promise<bigint> {
  const [row] = await on.run(LAST_EVENT_SEQ);
  return BigInt(row?.last ?? 0);
}

/**
 * Makes partitions for the numbers of the next events. When the current partition's period has ended, or the platform
 * clock was moved by more than a period, the next event gets a number of the next partition, so that a partition contains
 * the events of one period. Events that went to the default partition because their numbers had no partition move to
 * one, or stay there if they are many. Returns the number of partitions made.
 */
export async function makeEventPartitions(stop: AbortSignal): Promise<number> {
  let made = 0;
  while (!stop.aborted && (await addNextPartition(stop))) made++;
  await endPeriod(stop);
  // The next partition is the current one now.
  while (!stop.aborted && (await addNextPartition(stop))) made++;
  for (const { from, to } of await listPartitions(sql, EVENTS)) {
    const [end] = (await listPartitions(sql, ATTEMPTS)).map((partition) => partition.to).slice(-1);
    if (stop.aborted || from === null || BigInt(from) < BigInt(end ?? 0)) continue;
    await changePartitions(stop, (tx) =>
      addPartition(tx, ATTEMPTS, { name: nameOf(ATTEMPTS, from), from, to }),
    );
  }
  return made;
}

function nameOf({ name }: PartitionedTable, from: string): string {
  return `${name}_p${from}`;
}

async function addNextPartition(stop: AbortSignal): Promise<boolean> {
  const partitions = await listPartitions(sql, EVENTS);
  const last = await lastNumber(sql);
  if (partitions.filter(({ from }) => BigInt(from ?? 0) > last).length >= AHEAD) return false;
  const width = await widthOf(partitions);
  return changePartitions(stop, async (tx) => {
    const end = (await listPartitions(tx, EVENTS)).at(-1)?.to ?? "0";
    // Another process may have made it meanwhile.
    if (end !== partitions.at(-1)?.to) return true;
    const beyond = (last / LEAST_NUMBERS + 1n) * LEAST_NUMBERS;
    return (await addAt(tx, BigInt(end), width)) || addAt(tx, beyond, width);
  });
}

function addAt(tx: Sql, start: bigint, width: bigint): Promise<boolean> {
  const [from, to] = [String(start), String(start + width)];
  return addPartition(tx, EVENTS, { name: nameOf(EVENTS, from), from, to });
}

/** The numbers of the next partition: a power of two, so that an instance of any size has a few partitions. */
async function widthOf(partitions: readonly Partition[]): Promise<bigint> {
  let width = LEAST_NUMBERS;
  for (const partition of partitions) {
    const used = ((await lastEventOf(partition))?.seq ?? 0n) - BigInt(partition.from ?? 0);
    while (width < used * ROOM) width *= 2n;
  }
  return width;
}

const LOCK_EVENTS_TABLE = plannedStatement(
  "lock-events-table",
  "lock table events in share row exclusive mode",
);

const SET_EVENT_SEQ = plannedStatement("set-event-seq", "select setval('events_seq_seq', :next)");

/** Gives the next event a number of the next partition if the current one's period has ended. */
async function endPeriod(stop: AbortSignal): Promise<void> {
  if ((await findEnded(sql)) === null) return;
  await changePartitions(stop, async (tx) => {
    // Without writers, no number is used between reading the last one and setting the next one.
    await tx.run(LOCK_EVENTS_TABLE);
    const next = await findEnded(tx);
    if (next !== null) await tx.run(SET_EVENT_SEQ, { next });
  });
}

/** The first number of the next partition if the period of the current one has ended; otherwise null. */
async function findEnded(on: Sql): Promise<string | null> {
  const last = await lastNumber(on);
  const partitions = await listPartitions(on, EVENTS);
  const at = partitions.findIndex(({ to }) => last < BigInt(to));
  const [current, next] = [partitions[at], partitions[at + 1]];
  if (current?.from != null && last < BigInt(current.from)) return current.from;
  if (current === undefined || next === undefined || next.from === null) return null;
  const first = await firstEventOf(current, on);
  if (first === null) return null;
  return Math.abs(now().getTime() - first.createdAt.getTime()) < eventPeriodMs() ? null : next.from;
}

const FIRST_EVENT_OF_RANGE = plannedStatement(
  "first-event-of-range",
  "select seq, created_at from events where seq >= :from and seq < :to order by seq limit 1",
);

/** The event with the lowest number in a partition; null when it has no events. */
export async function firstEventOf({ from, to }: Partition, on: Sql = sql): Promise<EdgeEvent | null> {
  const rows = await on.run(FIRST_EVENT_OF_RANGE, { from: from ?? "0", to });
  return toEdge(rows);
}

const LAST_EVENT_OF_RANGE = plannedStatement(
  "last-event-of-range",
  "select seq, created_at from events where seq >= :from and seq < :to order by seq desc limit 1",
);

/** The event with the highest number in a partition; null when it has no events. */
export async function lastEventOf({ from, to }: Partition): Promise<EdgeEvent | null> {
  const rows = await sql.run(LAST_EVENT_OF_RANGE, { from: from ?? "0", to });
  return toEdge(rows);
}

type EdgeRow = RowOf<"first-event-of-range">;

function toEdge([row]: readonly EdgeRow[]): EdgeEvent | null {
  return row === undefined ? null : { seq: BigInt(row.seq), createdAt: row.created_at };
}
