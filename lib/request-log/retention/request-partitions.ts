import "server-only";
import { sql } from "@/lib/platform/database/db";
import {
  addPartition,
  changePartitions,
  detachPartition,
  dropTable,
  listPartitions,
  type Partition,
  type PartitionedTable,
  partitionDays,
} from "@/lib/platform/database/partitions";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { firstIdAt, timeOfId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const DAY_MS = 86_400_000;
/** Maximum number of partitions that one run makes for rows of a moved clock. */
const MAX_MOVES = 50;

/** The request log, partitioned by the time in its ids. */
export const REQUEST_LOG: PartitionedTable = { name: "api_requests", key: "id" };

const FIND_OLDEST_DEFAULT_REQUEST = plannedStatement(
  "find-oldest-default-request",
  "select id from api_requests_default order by id limit 1",
);

/**
 * Makes the request log's partitions of the current time and of the time after it, and partitions for rows that went to
 * the default partition, because the platform clock was moved or this job did not run. Returns the number of
 * partitions made.
 */
export async function makeRequestPartitions(stop: AbortSignal): Promise<number> {
  const periodMs = partitionDays(env().REQUEST_LOG_DAYS) * DAY_MS;
  const at = now().getTime();
  let made = 0;
  for (const time of [at, at + periodMs]) if (await coverTime(time, periodMs, stop)) made++;
  while (made < MAX_MOVES && !stop.aborted) {
    const [row] = await sql.run(FIND_OLDEST_DEFAULT_REQUEST);
    if (row === undefined || !(await coverTime(timeOfId(row.id), periodMs, stop))) break;
    made++;
  }
  return made;
}

/**
 * Makes a partition for the time, unless one exists or too many rows would have to move. Periods begin at multiples of
 * their length since 1970.
 */
async function coverTime(time: number, periodMs: number, stop: AbortSignal): Promise<boolean> {
  const id = firstIdAt(time);
  return changePartitions(stop, async (tx) => {
    const partitions = await listPartitions(tx, REQUEST_LOG);
    const next = partitions.find(({ to }) => id < to);
    if (next !== undefined && (next.from === null || next.from <= id)) return false;
    const before = partitions.findLast(({ to }) => to <= id);
    const start = Math.floor(time / periodMs) * periodMs;
    const from = latest(firstIdAt(start), before?.to);
    const to = earliest(firstIdAt(start + periodMs), next?.from ?? undefined);
    const name = `api_requests_p${from.slice(0, 8)}${from.slice(9, 13)}`;
    return addPartition(tx, REQUEST_LOG, { name, from, to });
  });
}

function latest(id: string, other: string | undefined): string {
  return other === undefined || other < id ? id : other;
}

function earliest(id: string, other: string | undefined): string {
  return other === undefined || id < other ? id : other;
}

/** Drops the partitions of the request log whose rows are all older than `oldest`. Returns their number. */
export async function dropRequestPartitions(oldest: string, stop: AbortSignal): Promise<number> {
  let dropped = 0;
  for (const partition of await listPartitions(sql, REQUEST_LOG)) {
    if (stop.aborted || partition.to > oldest) break;
    await dropPartition(partition, stop);
    dropped++;
  }
  return dropped;
}

async function dropPartition(partition: Partition, stop: AbortSignal): Promise<void> {
  await changePartitions(stop, async (tx) => {
    await detachPartition(tx, REQUEST_LOG, partition);
    await dropTable(tx, partition);
  });
}

/**
 * The tables of the request log whose rows are deleted one by one: the default partition, and the first partition with
 * the rows from before the log was partitioned.
 */
export async function unboundedRequestTables(): Promise<string[]> {
  const partitions = await listPartitions(sql, REQUEST_LOG);
  const first = partitions.filter(({ from }) => from === null).map(({ name }) => name);
  return [`${REQUEST_LOG.name}_default`, ...first];
}
