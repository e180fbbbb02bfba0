import "server-only";
import { now } from "@/lib/platform/clock";
import { poolStates, sql } from "@/lib/platform/db";
import { databaseUp, lastBackup, poolConnections, queueDepth, queueOldest } from "@/lib/platform/metrics";
import { lastBackupAt } from "@/lib/runtime/backup/back-up-when-due";

/** Scrapers of all kinds share a reading. */
const FRESH_MS = 5000;
const MAX_COUNTED = 10_000;

interface QueueRow {
  queue: string;
  depth: number;
  oldest_seconds: number | null;
}

// Each part reads a partial index of pending items, at most MAX_COUNTED entries of it.
const QUEUES = `
  select 'messages' as queue, count(*)::int as depth, extract(epoch from $1 - min(at))::float8 as oldest_seconds
  from (select created_at as at from messages where dispatch_at <= $1 limit ${MAX_COUNTED}) pending
  union all
  select 'webhooks', count(*)::int, extract(epoch from $1 - min(at))::float8
  from (select run_at as at from webhook_deliveries where run_at <= $1 limit ${MAX_COUNTED}) pending
  union all
  select 'actions', count(*)::int, extract(epoch from $1 - min(at))::float8
  from (select run_at as at from chat_actions where run_at <= $1 limit ${MAX_COUNTED}) pending`;

let reading: { at: number; done: Promise<void> } | undefined;

/** Reads the gauges that no event updates: queues, pools and the last backup. Never rejects: an outage is a gauge. */
export function collectGauges(): Promise<void> {
  for (const [pool, states] of Object.entries(poolStates())) {
    for (const [state, count] of Object.entries(states)) poolConnections.set({ pool, state }, count);
  }
  if (reading === undefined || Date.now() - reading.at > FRESH_MS) {
    reading = { at: Date.now(), done: readDatabase() };
  }
  return reading.done;
}

async function readDatabase(): Promise<void> {
  try {
    const rows = await sql.query<QueueRow>({ text: QUEUES, values: [now()] });
    for (const { queue, depth, oldest_seconds } of rows) {
      queueDepth.set({ queue }, depth);
      queueOldest.set({ queue }, Math.max(0, oldest_seconds ?? 0));
    }
    lastBackup.set(((await lastBackupAt())?.getTime() ?? 0) / 1000);
    databaseUp.set(1);
  } catch {
    databaseUp.set(0);
    queueDepth.reset();
    queueOldest.reset();
  }
}
