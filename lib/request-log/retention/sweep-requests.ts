import "server-only";
import { sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { firstIdAt } from "@/lib/platform/ids";
import { runInBatches, SWEEP_REST } from "@/lib/platform/tasks/run-in-batches";
import { now } from "@/lib/platform/time/clock";
import {
  dropRequestPartitions,
  unboundedRequestTables,
} from "@/lib/request-log/retention/request-partitions";

const BATCH_ROWS = 1000;
const DAY_MS = 86_400_000;

/**
 * Drops the partitions of the request log whose requests are all older than REQUEST_LOG_DAYS: a request is kept for
 * that long, and for at most one partition's period longer. Rows outside the partitions of a period are deleted in
 * short statements. Stops when `stop` is aborted. Returns the number of partitions dropped and rows deleted.
 */
export async function sweepRequests(stop: AbortSignal): Promise<number> {
  const oldest = firstIdAt(now().getTime() - env().REQUEST_LOG_DAYS * DAY_MS);
  let swept = await dropRequestPartitions(oldest, stop);
  for (const table of await unboundedRequestTables()) {
    swept += await sweepTable(table, oldest, stop);
    if (stop.aborted) break;
  }
  return swept;
}

async function sweepTable(table: string, oldest: string, stop: AbortSignal): Promise<number> {
  let swept = 0;
  const sweepBatch = async () => {
    // Reads account by account, because the primary key starts with it, and within one the oldest ids first.
    const [row] = await sql.runText<{ count: number }>({
      text: `with recursive account as (
          (select account_id as id from ${table} order by account_id limit 1)
          union all
          select (select r.account_id from ${table} r where r.account_id > a.id order by r.account_id limit 1)
          from account a where a.id is not null
        ), due as (
          select old.account_id, old.id from account a cross join lateral (
            select r.account_id, r.id from ${table} r where r.account_id = a.id and r.id < $1 order by r.id limit $2
          ) old limit $2
        ), swept as (
          delete from ${table} r using due where r.account_id = due.account_id and r.id = due.id returning 1
        )
        select count(*)::int as count from swept`,
      values: [oldest, BATCH_ROWS],
    });
    swept += row?.count ?? 0;
    return row?.count === BATCH_ROWS;
  };
  await runInBatches(sweepBatch, { rest: SWEEP_REST, stop });
  return swept;
}
