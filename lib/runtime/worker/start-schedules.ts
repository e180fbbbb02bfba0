import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { inBackground } from "@/lib/platform/database/database-scope";
import { sql } from "@/lib/platform/database/db";
import { onWake } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import { BoundedClient, boundedOptions } from "@/lib/platform/postgres/bounded-client";
import { log } from "@/lib/platform/telemetry/log";
import { SCHEDULES, type Schedule } from "@/lib/runtime/jobs/schedules";

const SCHEMA = "pgboss";
/** A job starts within these times after its minute: the schedules are read, and then the job is found. */
const CRON_SECONDS = 5;
/** While pg-boss receives no notifications. */
const POLL_SECONDS = 15;
/** While pg-boss is notified of new jobs: for jobs whose notification was lost, and for retries. */
const NOTIFIED_POLL_SECONDS = 60;
/** For pg-boss's jobs that depend on other jobs, which are not used here. */
const FLOW_SECONDS = 3600;
/** How often the connection that receives notifications is checked. */
const HEARTBEAT_MS = 30_000;
const MAX_RUN_MS = 10 * 60_000;
/** One job instead of one for each, because each run takes pg-boss about ten statements. */
const SHORT_JOBS = { name: "short-jobs", cron: "* * * * *" };
/** Jobs that take longer continue in the next minute. */
const MAX_SHORT_RUN_MS = 50_000;
const RETRY_MS = 60_000;
const STOP_MS = 5000;
const LATE_MS = 1000;
/** Time limit for pg-boss's statements. Creating its schema on the first start takes longest. */
const STATEMENT_MS = 30_000;

// pg-boss passes its options to its connection pool.
const BOUNDED_POOL = { Client: BoundedClient };

export interface Schedules {
  /** Stops a running job after its current statement and leaves the rest to other processes. */
  stop(): Promise<void>;
}

/**
 * Runs recurring jobs, each on one process at a time. pg-boss stores the schedule in its own database schema. Starts in
 * the background, so nothing waits for it. While the database is unavailable, the start is retried every minute.
 */
export function startSchedules(schedules: readonly Schedule[] = SCHEDULES): Schedules {
  const stopping = new AbortController();
  const started = startBoss(schedules, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      const stopped = started.then((boss) => boss?.stop({ graceful: true, timeout: STOP_MS }));
      // A connection that went silent holds pg-boss for as long as its statements may take.
      const late = sleep(STOP_MS + LATE_MS, "late" as const, { ref: false });
      if ((await Promise.race([stopped, late])) === "late")
        log.warn(
          {},
          "the schedules could not be stopped in time: their database connection does not respond",
        );
    },
  };
}

async function startBoss(schedules: readonly Schedule[], stop: AbortSignal): Promise<PgBoss | null> {
  while (!stop.aborted) {
    let boss: PgBoss | undefined;
    try {
      boss = await createBoss();
      await boss.start();
      const jobs = bossJobs(schedules.filter(isNeeded));
      for (const job of jobs) if (!stop.aborted) await register(boss, job, stop);
      // An earlier version, or earlier settings, may have scheduled the others.
      const scheduled = new Set(jobs.map(({ name }) => name));
      for (const { name } of schedules)
        if (!stop.aborted && !scheduled.has(name)) await boss.unschedule(name);
      return boss;
    } catch (error) {
      log.error({ err: error }, "recurring jobs can't be scheduled yet");
      await boss?.stop({ graceful: false }).catch(() => undefined);
    }
    await pause(RETRY_MS, stop);
  }
  return null;
}

async function createBoss(): Promise<PgBoss> {
  const [found] = await sql.query<{ exists: boolean }>({
    text: "select to_regnamespace($1) is not null as exists",
    values: [SCHEMA],
  });
  const boss = new PgBoss({
    ...boundedOptions({
      url: env().DATABASE_URL,
      applicationName: "trunkline-schedules",
      statementMs: STATEMENT_MS,
    }),
    ...BOUNDED_POOL,
    max: 2,
    schema: SCHEMA,
    // An operator may have created the schema for a user without the right to create one.
    createSchema: found?.exists !== true,
    cronWorkerIntervalSeconds: CRON_SECONDS,
    flowIntervalSeconds: FLOW_SECONDS,
    useListenNotify: true,
    notifyHeartbeatIntervalMs: HEARTBEAT_MS,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on("error", (error) => log.warn({ error: error.message }, "the schedules had an error"));
  boss.on("warning", (warning) => log.debug({ warning }, "the schedules warn"));
  return boss;
}

/** A job of pg-boss: the work of one schedule, or of several. */
interface BossJob extends Pick<Schedule, "name" | "cron"> {
  run(stop: AbortSignal): Promise<unknown>;
}

function isNeeded(schedule: Schedule): boolean {
  return schedule.isNeeded?.() ?? true;
}

function isShort(schedule: Schedule): boolean {
  return schedule.isShort === true;
}

/** One job for each schedule, and one for all that are short. */
function bossJobs(schedules: readonly Schedule[]): BossJob[] {
  const jobs = schedules
    .filter((schedule) => !isShort(schedule))
    .map(({ name, cron, run }): BossJob => ({ name, cron, run: (stop) => runLogged({ name, run }, stop) }));
  const short = schedules.filter(isShort);
  if (short.length > 0) jobs.push({ ...SHORT_JOBS, run: (stop) => runTogether(short, stop) });
  return jobs;
}

/** Runs all at the same time, so that none waits for another, and fails at the end if one has failed. */
async function runTogether(schedules: readonly Schedule[], stop: AbortSignal): Promise<void> {
  const bound = AbortSignal.any([stop, AbortSignal.timeout(MAX_SHORT_RUN_MS)]);
  const results = await Promise.allSettled(schedules.map((schedule) => runLogged(schedule, bound)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function runLogged({ name, run }: Pick<Schedule, "name" | "run">, stop: AbortSignal): Promise<void> {
  try {
    const count = await run(stop);
    log.debug({ schedule: name, count }, "a schedule has run");
  } catch (error) {
    log.error({ err: error, schedule: name }, "a scheduled job failed and will be retried");
    throw error;
  }
}

async function register(boss: PgBoss, { name, cron, run }: BossJob, stop: AbortSignal): Promise<void> {
  // Exclusive: while one process runs the job, or is about to, no other process does.
  const options = { expireInSeconds: (2 * MAX_RUN_MS) / 1000, notify: true };
  await boss.createQueue(name, { policy: "exclusive", ...options });
  // A queue that an earlier version created keeps its options until they are updated.
  await boss.updateQueue(name, options);
  await boss.schedule(name, cron, null, { tz: "UTC", missed: "once" });
  const polling = {
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS,
  };
  const worker = await boss.work(name, polling, async () => {
    await inBackground(() => run(AbortSignal.any([stop, AbortSignal.timeout(MAX_RUN_MS)])));
  });
  // The schedules may have been stopped while the statements above ran.
  if (stop.aborted) return;
  // Moving the platform clock may make work due.
  const runNow = async () => {
    await boss.send(name);
    boss.notifyWorker(worker);
  };
  const forget = onWake("clock", () => void runNow().catch(() => undefined));
  stop.addEventListener("abort", forget);
}

/** Waits until the time is up or the schedules stop. */
async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}
