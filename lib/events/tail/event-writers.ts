import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const LOOK_AGAIN_MS = 20;

const HELD = statement(
  "event-writers",
  `select virtualtransaction as "id!" from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
    and relation = 'events'::regclass`,
);

/**
 * The transactions that currently write to `events`. Each locks the table before it gets its first number and holds the
 * lock until its rows are visible or rolled back, so the transaction with a missing number is among them.
 */
export async function currentEventWriters(on: Sql): Promise<string[]> {
  const rows = await on.run(HELD);
  return rows.map((row) => row.id);
}

// PostgreSQL reads the locks after it has fixed which events the statement sees.
const EVENT_LOG_END = statement(
  "event-log-end",
  `select (select coalesce(max(seq), 0) from events) as "last!", array(${HELD.source.replace(' as "id!"', "")}) as "writers!"`,
);

/** The number of the newest visible event (0 without one), and the transactions that may still commit lower numbers. */
export async function readLogEnd(on: Sql): Promise<{ last: number; writers: string[] }> {
  const [row] = await on.run(EVENT_LOG_END);
  return { last: Number(row?.last ?? 0), writers: row?.writers ?? [] };
}

const UNFINISHED_EVENT_WRITERS = statement(
  "unfinished-event-writers",
  `${HELD.source} and virtualtransaction = any(:writers)`,
);

/** The given writers whose transactions have not ended. */
export async function unfinishedWriters(on: Sql, writers: readonly string[]): Promise<string[]> {
  if (writers.length === 0) return [];
  const rows = await on.run(UNFINISHED_EVENT_WRITERS, { writers });
  return rows.map((row) => row.id);
}

/**
 * Waits until the transactions that now write to `events`, or those that are `known`, have ended. Returns false if one of them runs for another `ms`, and
 * when `stop` is aborted.
 */
export async function untilWritersEnd(
  on: Sql,
  {
    ms = Number.POSITIVE_INFINITY,
    stop,
    known,
  }: { ms?: number; stop?: AbortSignal; known?: readonly string[] } = {},
): Promise<boolean> {
  const deadline = performance.now() + ms;
  let writers = known ?? (await currentEventWriters(on));
  while (writers.length > 0) {
    if (stop?.aborted === true || performance.now() > deadline) return false;
    await sleep(LOOK_AGAIN_MS);
    writers = await unfinishedWriters(on, writers);
  }
  return true;
}
