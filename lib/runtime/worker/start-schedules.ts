import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { Cron } from "croner";
import { inBackground } from "@/lib/platform/database/database-scope";
import { onWake } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { SCHEDULES, type Schedule } from "@/lib/runtime/jobs/schedules";
import {
  claimSchedules,
  LEASE_SECONDS,
  makeSchedulesDue,
  releaseSchedule,
  renewLeases,
  type ScheduleLease,
  type ScheduleRow,
  storeSchedules,
} from "@/lib/runtime/worker/schedule-rows";

/** The longest time between two looks at the schedules. */
const MAX_PAUSE_MS = 60_000;
/** The shortest time, for a schedule that is due while another process claims it. */
const MIN_PAUSE_MS = 250;
const OUTAGE_PAUSE_MS = 15_000;
const RENEW_MS = 15_000;
const RETRY_MS = 30_000;
const MAX_ATTEMPTS = 3;
const MAX_RUN_MS = 10 * 60_000;
/** A run that does not stop when it should loses its lease then, and another run follows. */
const MAX_LEASED_MS = 2 * MAX_RUN_MS;
const STOP_MS = 5000;

export interface Schedules {
  /** Stops a running job after its current statement and leaves the rest to other processes. */
  stop(): Promise<void>;
}

/** `interrupted`: this process stops, so another one runs the job. */
type Outcome = "done" | "failed" | "interrupted";

interface Run {
  lease: ScheduleLease;
  attempt: number;
  /** By `performance.now()`. */
  startedAt: number;
  leaseLost: AbortController;
}

/**
 * Runs recurring jobs, each on one process at a time. The table `schedules` holds when each job is due and which process
 * runs it, both by PostgreSQL's clock. A run that was due while no process was up is made up for once. A run that fails,
 * or whose process dies, is repeated up to two times. Returns immediately, also while the database is unavailable.
 * Throws a TypeError for a schedule whose `cron` is invalid.
 */
export function startSchedules(schedules: readonly Schedule[] = SCHEDULES): Schedules {
  return new ScheduleRunner(schedules.filter(({ isNeeded }) => isNeeded?.() ?? true));
}

class ScheduleRunner implements Schedules {
  private readonly schedules: ReadonlyMap<string, Schedule>;
  private readonly times: ReadonlyMap<string, Cron>;
  private readonly runs = new Map<Run, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly renewing = setInterval(() => void this.renew(), RENEW_MS);
  private readonly unsubscribe: (() => void) | null;
  private looking: Promise<void> = Promise.resolve();
  private isLookPlanned = false;
  /** The platform clock was moved since the schedules were last made due. */
  private isClockMoved = false;
  private timer: NodeJS.Timeout | undefined;
  private nextLookAt = Number.POSITIVE_INFINITY;

  constructor(schedules: readonly Schedule[]) {
    this.schedules = new Map(schedules.map((schedule) => [schedule.name, schedule]));
    this.times = new Map(schedules.map(({ name, cron }) => [name, new Cron(cron, { timezone: "UTC" })]));
    // Moving the platform clock may make work due. Starts and reconnects wake every topic, also when no clock is moved.
    this.unsubscribe = env().CLOCK_CONTROL ? onWake("clock", () => this.lookAtMovedClock()) : null;
    this.look();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.unsubscribe?.();
    clearTimeout(this.timer);
    const ended = this.looking.then(() => Promise.all(this.runs.values()));
    const late = sleep(STOP_MS, "late" as const, { ref: false });
    if ((await Promise.race([ended, late])) === "late")
      log.warn({}, "recurring jobs did not stop in time: other processes repeat them when their leases end");
    clearInterval(this.renewing);
  }

  private lookAtMovedClock(): void {
    this.isClockMoved = true;
    this.look();
  }

  /** Claims and starts what is due, once an earlier look has ended. Calls until this begins make one look. */
  private look(): void {
    if (this.isLookPlanned) return;
    this.isLookPlanned = true;
    this.looking = this.looking.then(async () => {
      this.isLookPlanned = false;
      if (this.stopping.signal.aborted) return;
      this.nextLookAt = Number.POSITIVE_INFINITY;
      try {
        await this.applyMovedClock();
        this.lookIn(await this.claim());
      } catch (error) {
        log.error({ err: error }, "recurring jobs can't be scheduled yet");
        this.lookIn(OUTAGE_PAUSE_MS);
      }
    });
  }

  private async applyMovedClock(): Promise<void> {
    if (!this.isClockMoved) return;
    this.isClockMoved = false;
    try {
      await makeSchedulesDue([...this.times.keys()]);
    } catch (error) {
      this.isClockMoved = true;
      throw error;
    }
  }

  /** Looks after `ms`, or earlier if an earlier look is planned. */
  private lookIn(ms: number): void {
    const pauseMs = Math.min(Math.max(Math.ceil(ms), MIN_PAUSE_MS), MAX_PAUSE_MS);
    const at = performance.now() + pauseMs;
    if (this.stopping.signal.aborted || at >= this.nextLookAt) return;
    this.nextLookAt = at;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), pauseMs);
  }

  /** Returns the time in ms until a schedule may be due. */
  private async claim(): Promise<number> {
    const { leaseId, rows } = await claimSchedules([...this.times.keys()]);
    for (const { name, attempt, now } of rows)
      if (attempt !== null) this.start({ name, id: leaseId, claimedAt: now }, attempt);
    const others = rows.filter(({ attempt }) => attempt === null);
    const wrong = others.filter((row) => this.isWrong(row));
    if (wrong.length > 0)
      await storeSchedules(new Map(wrong.map(({ name, now }) => [name, this.timeAfter(name, now)])));
    return Math.min(...others.map((row) => (wrong.includes(row) ? 0 : timeUntilDue(row))));
  }

  /** The row is missing, or was stored before PostgreSQL's clock was set back or the schedule changed. */
  private isWrong({ name, now, due_at: dueAt, lease_until: leaseUntil }: ScheduleRow): boolean {
    if (dueAt === null || dueAt > this.timeAfter(name, now)) return true;
    return leaseUntil !== null && leaseUntil.getTime() - now.getTime() > LEASE_SECONDS * 1000 + 1;
  }

  private timeAfter(name: string, time: Date): Date {
    const next = this.times.get(name)?.nextRun(time);
    if (next == null) throw new Error(`the schedule ${name} has no next time`);
    return next;
  }

  private start(lease: ScheduleLease, attempt: number): void {
    const run = { lease, attempt, startedAt: performance.now(), leaseLost: new AbortController() };
    this.runs.set(
      run,
      this.run(run).finally(() => this.runs.delete(run)),
    );
  }

  private async run(run: Run): Promise<void> {
    const { lease, attempt, startedAt } = run;
    const outcome = await this.attempt(run);
    const now = new Date(lease.claimedAt.getTime() + (performance.now() - startedAt));
    const nextAt = this.timeAfter(lease.name, now);
    try {
      const dueInMs = await releaseSchedule(lease, { ...nextAttempt(outcome, attempt), nextAt });
      if (dueInMs !== null) this.lookIn(dueInMs);
    } catch (error) {
      log.warn({ err: error, schedule: lease.name }, "a schedule could not be released and runs again");
    }
  }

  private async attempt({ lease: { name }, attempt, leaseLost }: Run): Promise<Outcome> {
    // Claimed while the schedules were being stopped.
    if (this.stopping.signal.aborted) return "interrupted";
    if (attempt > MAX_ATTEMPTS) {
      log.error(
        { schedule: name },
        "processes died during a scheduled job, which now waits for its next time",
      );
      return "failed";
    }
    const stop = AbortSignal.any([this.stopping.signal, leaseLost.signal, AbortSignal.timeout(MAX_RUN_MS)]);
    let outcome: Outcome = "done";
    try {
      const count = await inBackground(async () => this.schedules.get(name)?.run(stop));
      log.debug({ schedule: name, count }, "a schedule has run");
    } catch (error) {
      log.error({ err: error, schedule: name }, "a scheduled job failed and will be retried");
      outcome = "failed";
    }
    // A job that is stopped skips the rest of its work without saying so.
    return this.stopping.signal.aborted ? "interrupted" : outcome;
  }

  private async renew(): Promise<void> {
    const runs = [...this.runs.keys()].filter(
      ({ startedAt }) => performance.now() - startedAt < MAX_LEASED_MS,
    );
    if (runs.length === 0) return;
    try {
      const held = await renewLeases(runs.map(({ lease }) => lease));
      for (const { lease, leaseLost } of runs) if (!held.includes(lease)) leaseLost.abort();
    } catch (error) {
      log.warn({ err: error }, "the leases of schedules could not be renewed");
    }
  }
}

/** How many attempts at a run count after this one, and when the next one begins. */
function nextAttempt(outcome: Outcome, attempt: number): { attempt: number; retryInMs: number | null } {
  if (outcome === "interrupted") return { attempt: attempt - 1, retryInMs: 0 };
  if (outcome === "failed" && attempt < MAX_ATTEMPTS) return { attempt, retryInMs: RETRY_MS };
  return { attempt: 0, retryInMs: null };
}

/** The time in ms until another process may be needed. */
function timeUntilDue({ now, due_at: dueAt, lease_until: leaseUntil }: ScheduleRow): number {
  return Math.max(dueAt?.getTime() ?? 0, leaseUntil?.getTime() ?? 0) - now.getTime();
}
