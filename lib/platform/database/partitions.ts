import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";

/** A table that is partitioned by range, with a default partition `<name>_default`. */
export interface PartitionedTable {
  name: string;
  /** The column of the ranges. */
  key: string;
}

/** A partition with the rows from `from` up to, but not including, `to`. */
export interface Partition {
  name: string;
  /** null = without a lower bound. */
  from: string | null;
  to: string;
}

/** Another statement uses the table: the lock timed out, or both waited for each other. */
const IN_USE = { lockNotAvailable: "55P03", deadlockDetected: "40P01" };
/** While a change waits for a lock, all new statements on the table wait behind it. */
const LOCK_MS = 300;
const ATTEMPTS = 10;
const PAUSE_MS = 300;
/** Writers wait while rows move to a new partition. */
const MAX_MOVED = 50_000;
/** Changes of partitions exclude each other, because their locks could wait in a circle. */
const CHANGE_LOCK = 20261122;

const LIST_PARTITIONS = plannedStatement(
  "list-partitions",
  `select c.relname as name, regexp_match(pg_get_expr(c.relpartbound, c.oid),
    '^FOR VALUES FROM \\(''?(.*?)''?\\) TO \\(''?(.*?)''?\\)$') as bounds
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = :inhparent::regclass`,
);

/** The table's partitions in the order of their ranges, without the default partition. */
export async function listPartitions(on: Sql, { name }: PartitionedTable): Promise<Partition[]> {
  const rows = await on.run(LIST_PARTITIONS, { inhparent: name });
  return rows
    .flatMap(({ name, bounds }) => (bounds === null ? [] : [toPartition(name, bounds)]))
    .sort((left, right) => (isBefore(left.to, right.to) ? -1 : 1));
}

function toPartition(name: string, [from, to]: string[]): Partition {
  if (from === undefined || to === undefined || to === "MAXVALUE") throw new Error(`${name} has no end`);
  return { name, from: from === "MINVALUE" ? null : from, to };
}

/** Compares bounds: ids by their text, which is in the order of their time, and numbers by their value. */
function isBefore(left: string, right: string): boolean {
  if (left.includes("-")) return left < right;
  return BigInt(left) < BigInt(right);
}

/**
 * Adds a partition in the caller's transaction, for which `changePartitions` is made. Rows of its range that are in the
 * default partition move to it. Returns false and changes nothing when these are more than 50,000.
 */
export async function addPartition(
  tx: Sql,
  { name: table, key }: PartitionedTable,
  { name, from, to }: Partition & { from: string },
): Promise<boolean> {
  const range = `${key} >= '${from}' and ${key} < '${to}'`;
  const found = await tx.runText({
    text: `select from ${table}_default where ${range} limit ${MAX_MOVED + 1}`,
  });
  if (found.length > MAX_MOVED) return false;
  await tx.runText({ text: `create table ${name} (like ${table} including all)` });
  // Blocks writers, so that none adds a row of this range to the default partition meanwhile.
  await tx.runText({ text: `lock table ${table} in share row exclusive mode` });
  await tx.runText({
    text: `with moved as (delete from ${table}_default where ${range} returning *)
           insert into ${name} select * from moved`,
  });
  await tx.runText({
    text: `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
  });
  return true;
}

/** Detaches a partition in the caller's transaction. Rows of its range then go to the default partition. */
export async function detachPartition(tx: Sql, table: PartitionedTable, { name }: Partition): Promise<void> {
  await tx.runText({ text: `alter table ${table.name} detach partition ${name}` });
}

/** Drops a detached partition with its rows in the caller's transaction. */
export async function dropTable(tx: Sql, { name }: Partition): Promise<void> {
  await tx.runText({ text: `drop table ${name}` });
}

const SET_PARTITION_LOCK_TIMEOUT = plannedStatement(
  "set-partition-lock-timeout",
  `set local lock_timeout = ${LOCK_MS}`,
);

const LOCK_PARTITION_CHANGES = plannedStatement(
  "lock-partition-changes",
  `select pg_advisory_xact_lock(${CHANGE_LOCK})`,
);

/**
 * Runs `work`, which changes partitions, in a transaction that waits at most 0.3 s for a lock. Tries again while
 * statements that take longer use the table. Throws the last error after ten attempts or when `stop` is aborted.
 */
export async function changePartitions<Result>(
  stop: AbortSignal,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(async (tx) => {
        await tx.run(SET_PARTITION_LOCK_TIMEOUT);
        await tx.run(LOCK_PARTITION_CHANGES);
        return work(tx);
      });
    } catch (error) {
      const isInUse = Object.values(IN_USE).some((state) => hasSqlState(error, state));
      if (!isInUse || attempt === ATTEMPTS || stop.aborted) throw error;
      log.debug({ attempt }, "a partition is in use and will be changed later");
      await sleep(PAUSE_MS * Math.random() + PAUSE_MS);
    }
  }
}

/** How long one partition of a log that is kept for `days` lasts, in days: a tenth, rounded up. */
export function partitionDays(days: number): number {
  return Math.max(1, Math.ceil(days / 10));
}
