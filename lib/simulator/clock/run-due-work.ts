import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "@/lib/platform/time/clock";
import { countDue, findNextDue, isWorkPending, JOB_NAMES, jobOf } from "@/lib/simulator/clock/due-work";
import { runJob } from "@/lib/simulator/clock/job-port";
import { storeClock } from "@/lib/simulator/clock/store-clock";

const MAX_STEPS = 2000;
const LOOK_MS = { least: 5, most: 50 };

/** The work of a type that became due. */
interface RanWork {
  type: string;
  count: number;
}

/** The work that ran, and whether all of it did. */
export interface Run {
  ran: RanWork[];
  /** False when the time was up before the work was done. */
  isIdle: boolean;
}

/**
 * Moves the frozen clock from due time to due time until `until`, and lets the work of each time end before the next.
 * With `until` null, goes on until no queued work is left. Stops when `stop` is aborted.
 */
export async function runDueWork(until: Date | null, stop: AbortSignal): Promise<Run> {
  const ran = new Map<string, number>();
  for (const job of JOB_NAMES) await runJob(job, stop);
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const at = now();
    if (!(await waitForQueues(at, stop))) return { ran: toList(ran), isIdle: false };
    const next = await findNextDue(at, until);
    if (next === null) return { ran: toList(ran), isIdle: await moveTo(until, stop) };

    const due = await countDue(at, next);
    for (const { type, count } of due) ran.set(type, (ran.get(type) ?? 0) + count);
    await storeClock({ at: next });
    await runJobsOf(due, stop);
  }
  return { ran: toList(ran), isIdle: false };
}

async function moveTo(until: Date | null, stop: AbortSignal): Promise<boolean> {
  if (until === null || until <= now()) return true;
  await storeClock({ at: until });
  for (const job of JOB_NAMES) await runJob(job, stop);
  return waitForQueues(until, stop);
}

async function runJobsOf(due: readonly RanWork[], stop: AbortSignal): Promise<void> {
  for (const { type } of due) {
    const job = jobOf(type);
    if (job !== null) await runJob(job, stop);
  }
}

/** Waits until the queues have done the work that is due. Returns false when `stop` is aborted first. */
async function waitForQueues(at: Date, stop: AbortSignal): Promise<boolean> {
  for (let pauseMs = LOOK_MS.least; ; pauseMs = Math.min(2 * pauseMs, LOOK_MS.most)) {
    if (!(await isWorkPending(at))) return true;
    if (stop.aborted) return false;
    await sleep(pauseMs);
  }
}

function toList(ran: ReadonlyMap<string, number>): RanWork[] {
  return [...ran].map(([type, count]) => ({ type, count }));
}
