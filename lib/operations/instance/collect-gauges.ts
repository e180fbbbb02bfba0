import "server-only";
import { lastBackupAt } from "@/lib/operations/backup/back-up-when-due";
import { readQueues } from "@/lib/operations/instance/read-queues";
import { poolStates, sql } from "@/lib/platform/database/db";
import {
  databaseUp,
  lastBackup,
  poolConnections,
  queueDepth,
  queueOldest,
} from "@/lib/platform/telemetry/metrics";
import { now } from "@/lib/platform/time/clock";

/** Scrapers of all kinds share a reading. */
const FRESH_MS = 5000;

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
    for (const { queue, depth, oldestSeconds } of await readQueues(sql, now())) {
      queueDepth.set({ queue }, depth);
      queueOldest.set({ queue }, oldestSeconds);
    }
    lastBackup.set(((await lastBackupAt())?.getTime() ?? 0) / 1000);
    databaseUp.set(1);
  } catch {
    databaseUp.set(0);
    queueDepth.reset();
    queueOldest.reset();
  }
}
