import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { readersOf, wakeLocally } from "@/lib/platform/database/wake";
import { SCHEDULES } from "@/lib/runtime/jobs/schedules";
import { type Schedules, startSchedules } from "@/lib/runtime/worker/start-schedules";
import { countStatements } from "@/lib/testing/database/count-statements";
import { until } from "@/lib/testing/until";

const YEARLY = "0 0 1 1 *";
const EVERY_SECOND = "* * * * * *";

interface Row {
  name: string;
  attempt: number;
  due_at: Date;
  due_in_seconds: number;
  leased_for_seconds: number | null;
}

/** Due times are rounded to milliseconds, so a job that is due at once may be due in half of one. */
const SOON_SECONDS = 0.001;

let running: Schedules[] = [];

beforeEach(() => {
  process.env.CLOCK_CONTROL = "1";
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.map((schedules) => schedules.stop()));
  running = [];
  await sql.runText({ text: "delete from schedules" });
});

function start(...parameters: Parameters<typeof startSchedules>): Schedules {
  const schedules = startSchedules(...parameters);
  running.push(schedules);
  return schedules;
}

function rows(): Promise<Row[]> {
  return sql.runText<Row>({
    text: `select name, attempt, due_at, extract(epoch from due_at - now())::float8 as due_in_seconds,
        extract(epoch from lease_until - now())::float8 as leased_for_seconds
      from schedules order by name collate "C"`,
  });
}

async function rowOf(name: string): Promise<Row | undefined> {
  return (await rows()).find((row) => row.name === name);
}

/** Stores rows that have been due for a second. */
async function storeDue(names: readonly string[], attempt = 0): Promise<void> {
  await sql.runText({
    text: `insert into schedules (name, due_at, attempt) select n, now() - interval '1 second', $2
      from unnest($1::text[]) n`,
    values: [names, attempt],
  });
}

/** Moves the clock, as far as the schedules are concerned, until something is true. */
async function moveClockUntil(isTrue: () => boolean): Promise<void> {
  await until(async () => {
    wakeLocally("clock");
    await sleep(20);
    return isTrue();
  });
}

/** A run that ends when it is aborted. */
function untilAborted(stop: AbortSignal): Promise<number> {
  return new Promise((resolve) => stop.addEventListener("abort", () => resolve(0)));
}

test("every schedule has one row, however many workers there are, and is due at its next time", async () => {
  start();
  start();

  const names = SCHEDULES.filter(({ isNeeded }) => isNeeded?.() !== false).map(({ name }) => name);
  await until(async () => (await rows()).length === names.length);
  const stored = await rows();
  expect(stored.map(({ name }) => name)).toEqual(names.sort());
  expect(Math.min(...stored.map((row) => row.due_in_seconds))).toBeGreaterThan(-60);
  expect(Math.max(...stored.map((row) => row.due_in_seconds))).toBeLessThanOrEqual(24 * 3600);
});

test("a job that the settings no longer need does not run, though it was due", async () => {
  const run: string[] = [];
  await storeDue(["needed", "unneeded"]);

  start([
    { name: "unneeded", cron: YEARLY, run: async () => run.push("unneeded"), isNeeded: () => false },
    { name: "needed", cron: YEARLY, run: async () => run.push("needed") },
  ]);

  await until(async () => ((await rowOf("needed"))?.due_in_seconds ?? 0) > 60);
  expect(run).toEqual(["needed"]);
});

test("backups are scheduled only with a folder", () => {
  const backUp = SCHEDULES.find(({ name }) => name === "back-up");
  expect(backUp?.isNeeded?.()).toBe(false);

  process.env.BACKUP_DIR = "/backups";
  expect(backUp?.isNeeded?.()).toBe(true);
  delete process.env.BACKUP_DIR;
});

test("jobs run together, and none waits for one that takes long or stops with one that fails", async () => {
  const run: string[] = [];
  let isWaiting = true;
  await storeDue(["takes-long", "fails", "counts"]);
  start([
    { name: "takes-long", cron: YEARLY, run: () => until(async () => !isWaiting).then(() => 0) },
    { name: "fails", cron: YEARLY, run: () => Promise.reject(new Error("the job fails")) },
    { name: "counts", cron: YEARLY, run: async () => run.push("counts") },
  ]);

  await until(async () => run.length > 0);
  await until(async () => (await rowOf("fails"))?.leased_for_seconds === null);
  isWaiting = false;

  // A failed job is repeated soon.
  const failed = await rowOf("fails");
  expect(failed?.attempt).toBe(1);
  expect(failed?.due_in_seconds).toBeLessThanOrEqual(30);
});

test("a job that fails three times waits for its next time", async () => {
  await storeDue(["fails"], 2);
  start([{ name: "fails", cron: YEARLY, run: () => Promise.reject(new Error("the job fails")) }]);

  await until(async () => (await rowOf("fails"))?.attempt === 0);

  expect((await rowOf("fails"))?.due_in_seconds).toBeGreaterThan(60);
});

test("of two workers, one makes up for each run that was due while none was up, once", async () => {
  const names = Array.from({ length: 20 }, (_, number) => `missed-${number}`);
  const run: string[] = [];
  const schedules = names.map((name) => ({ name, cron: YEARLY, run: async () => run.push(name) }));
  await storeDue(names);

  start(schedules);
  start(schedules);

  await until(async () => (await rows()).every((row) => row.due_in_seconds > 60));
  expect(run.sort()).toEqual([...names].sort());
});

test("a job whose worker dies in the middle is run by another worker after the lease, and not before", async () => {
  const begun: number[] = [];
  let wasAborted = false;
  const schedule = (worker: number) => ({
    name: "survives",
    cron: YEARLY,
    async run(stop: AbortSignal) {
      begun.push(worker);
      if (worker === 1) await new Promise((resolve) => stop.addEventListener("abort", resolve));
      wasAborted ||= worker === 1;
      return 1;
    },
  });
  await storeDue(["survives"]);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const dead = start([schedule(1)]);
  await until(async () => begun.length === 1);

  // Like a process that was killed, the first worker renews nothing from here on.
  const from = performance.now();
  await sql.runText({ text: "update schedules set lease_until = now() + interval '2 seconds'" });
  start([schedule(2)]);
  await until(async () => begun.length === 2);

  expect(begun).toEqual([1, 2]);
  expect(performance.now() - from).toBeGreaterThan(1900);
  await until(async () => (await rowOf("survives"))?.attempt === 0);

  // If it lives nevertheless, it learns that the lease is lost, and stops.
  expect(wasAborted).toBe(false);
  vi.advanceTimersByTime(15_000);
  await until(async () => wasAborted);
  await dead.stop();
  expect((await rowOf("survives"))?.due_in_seconds).toBeGreaterThan(60);
});

test("a job in whose middle three workers died waits for its next time", async () => {
  const run: string[] = [];
  await storeDue(["kills"], 3);

  start([{ name: "kills", cron: YEARLY, run: async () => run.push("kills") }]);

  await until(async () => (await rowOf("kills"))?.attempt === 0);
  expect(run).toEqual([]);
  expect((await rowOf("kills"))?.due_in_seconds).toBeGreaterThan(60);
});

test("a worker renews the lease of a run that takes longer than the lease", async () => {
  let isWaiting = true;
  await storeDue(["takes-long"]);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  start([{ name: "takes-long", cron: YEARLY, run: () => until(async () => !isWaiting).then(() => 0) }]);
  await until(async () => (await rowOf("takes-long"))?.attempt === 1);
  await sql.runText({ text: "update schedules set lease_until = now() + interval '2 seconds'" });

  vi.advanceTimersByTime(15_000);

  await until(async () => ((await rowOf("takes-long"))?.leased_for_seconds ?? 0) > 30);
  isWaiting = false;
});

test("PostgreSQL's clock decides what is due, not that of a worker", async () => {
  const run: string[] = [];
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400 * 24 * 3600_000 });

  start([
    { name: "yearly", cron: YEARLY, run: async () => run.push("yearly") },
    { name: "every-second", cron: EVERY_SECOND, run: async () => run.push("every-second") },
  ]);

  await until(async () => run.length > 1);
  expect(run).not.toContain("yearly");
  expect((await rowOf("yearly"))?.due_in_seconds).toBeLessThan(367 * 24 * 3600);
});

test("after PostgreSQL's clock was set back, no job waits for the times of before", async () => {
  const run: string[] = [];
  await storeDue(["waits", "leased"]);
  await sql.runText({
    text: `update schedules set due_at = now() + interval '1 day',
      lease_until = case when name = 'leased' then now() + interval '1 day' end`,
  });

  start([
    { name: "waits", cron: EVERY_SECOND, run: async () => run.push("waits") },
    { name: "leased", cron: EVERY_SECOND, run: async () => run.push("leased") },
  ]);

  await until(async () => run.includes("waits"));
  await until(async () => ((await rowOf("leased"))?.leased_for_seconds ?? 0) <= 60);
  expect(run).not.toContain("leased");
});

test("when the clock is moved each schedule runs, on one worker of all", async () => {
  let runs = 0;
  let atOnce = 0;
  let most = 0;
  const schedule = {
    name: "count-runs",
    cron: YEARLY,
    async run() {
      runs++;
      most = Math.max(most, ++atOnce);
      await sleep(200);
      return atOnce--;
    },
  };
  start([schedule]);
  start([schedule]);
  await until(async () => (await rowOf("count-runs")) !== undefined);

  await moveClockUntil(() => runs > 0);
  await sleep(1000);

  expect(most).toBe(1);
});

test("a job runs again when the clock is moved while it runs", async () => {
  let runs = 0;
  let isWaiting = true;
  await storeDue(["runs-again"]);
  start([
    {
      name: "runs-again",
      cron: YEARLY,
      async run() {
        runs++;
        await until(async () => !isWaiting);
        return 0;
      },
    },
  ]);
  await until(async () => runs === 1);

  const before = await rowOf("runs-again");
  await sleep(10);
  wakeLocally("clock");
  await until(async () => (await rowOf("runs-again"))?.due_at.getTime() !== before?.due_at.getTime());
  isWaiting = false;

  await until(async () => runs === 2);
});

test("a clock that can't be moved makes no job due, whatever wakes its readers", async () => {
  process.env.CLOCK_CONTROL = "0";
  const run: string[] = [];
  const before = readersOf("clock");
  start([{ name: "yearly", cron: YEARLY, run: async () => run.push("yearly") }]);
  await until(async () => (await rowOf("yearly")) !== undefined);

  wakeLocally("clock");
  await sleep(300);

  expect(readersOf("clock")).toBe(before);
  expect(run).toEqual([]);
  expect((await rowOf("yearly"))?.due_in_seconds).toBeGreaterThan(60);
});

test("wake-ups that arrive together make one look", async () => {
  start([{ name: "yearly", cron: YEARLY, run: async () => 0 }]);
  await until(async () => (await rowOf("yearly")) !== undefined);
  await sleep(500);

  const statements = await countStatements(async () => {
    for (let count = 0; count < 20; count++) wakeLocally("clock");
    await sleep(500);
  });

  // The look makes the job due and claims it. The job's release is the third statement, and may be followed by another look.
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThanOrEqual(8);
});

test("a move of the clock while the schedules can't be read makes the jobs due afterwards", async () => {
  let runs = 0;
  let isWaiting = true;
  await storeDue(["waits"]);
  start([
    { name: "waits", cron: EVERY_SECOND, run: () => until(async () => !isWaiting).then(() => 0) },
    { name: "yearly", cron: YEARLY, run: async () => ++runs },
  ]);
  await until(async () => (await rowOf("waits"))?.attempt === 1 && (await rowOf("yearly")) !== undefined);
  await sql.runText({ text: "alter table schedules rename to away" });
  wakeLocally("clock");
  await sleep(500);
  await sql.runText({ text: "alter table away rename to schedules" });

  // The end of this run causes the next look.
  isWaiting = false;

  await until(async () => runs > 0);
});

test("a worker without due jobs looks rarely", async () => {
  start([{ name: "yearly", cron: YEARLY, run: async () => 0 }]);
  await until(async () => (await rowOf("yearly")) !== undefined);
  await sleep(500);

  expect(await countStatements(() => sleep(1500))).toBe(0);
});

test("a worker that stops does not wait for the rest of a long run", async () => {
  let begun = false;
  let wasAborted = false;
  const schedule = {
    name: "run-long",
    cron: YEARLY,
    run(stop: AbortSignal) {
      begun = true;
      return new Promise<number>((resolve) =>
        stop.addEventListener("abort", () => {
          wasAborted = true;
          resolve(0);
        }),
      );
    },
  };
  const schedules = start([schedule]);
  await moveClockUntil(() => begun);

  await schedules.stop();
  expect(wasAborted).toBe(true);
  expect((await rowOf("run-long"))?.leased_for_seconds).toBeNull();
});

test("a job that a stop interrupts is due at once, runs on another worker, and spends no attempt", async () => {
  await storeDue(["third-attempt", "fails-late"], 2);
  const interrupted = start([
    { name: "third-attempt", cron: YEARLY, run: untilAborted },
    {
      name: "fails-late",
      cron: YEARLY,
      run: (stop) => untilAborted(stop).then(() => Promise.reject(new Error("late"))),
    },
  ]);
  await until(async () => (await rows()).filter(({ attempt }) => attempt === 3).length === 2);

  await interrupted.stop();

  for (const row of await rows()) {
    expect(row).toMatchObject({ attempt: 2, leased_for_seconds: null });
    expect(row.due_in_seconds).toBeLessThan(SOON_SECONDS);
  }
  const run: string[] = [];
  start(
    ["third-attempt", "fails-late"].map((name) => ({ name, cron: YEARLY, run: async () => run.push(name) })),
  );
  await until(async () => (await rows()).every((row) => row.due_in_seconds > 60));
  expect(run.sort()).toEqual(["fails-late", "third-attempt"]);
});

test("no run is lost while workers are stopped at any moment", async () => {
  const names = Array.from({ length: 10 }, (_, number) => `stopped-${number}`);
  const completed = new Set<string>();
  const schedules = names.map((name, number) => ({
    name,
    cron: YEARLY,
    async run(stop: AbortSignal) {
      for (let step = 0; step < number; step++) {
        if (stop.aborted) return 0;
        await sleep(10);
      }
      completed.add(name);
      return 1;
    },
  }));
  await storeDue(names);

  for (let round = 0; round < 20; round++) {
    const workers = [start(schedules), start(schedules)];
    await sleep(Math.random() * 60);
    await Promise.all(workers.map((worker) => worker.stop()));
    const waiting = (await rows()).filter((row) => row.due_in_seconds > SOON_SECONDS);
    expect(waiting.map(({ name }) => name).filter((name) => !completed.has(name))).toEqual([]);
    expect((await rows()).filter((row) => row.leased_for_seconds !== null)).toEqual([]);
  }

  start(schedules);
  await until(async () => (await rows()).every((row) => row.due_in_seconds > 60));
  expect([...completed].sort()).toEqual(names);
});

test("a stop before the start is done leaves no reader of the clock behind", async () => {
  const before = readersOf("clock");
  const schedules = start();
  await until(async () => (await rows()).length > 1);
  await schedules.stop();
  expect(readersOf("clock")).toBe(before);
});

test("jobs wait while the schedules can't be read, run afterwards, and a stop meanwhile does not wait", async () => {
  const run: string[] = [];
  const schedule = { name: "waits", cron: YEARLY, run: async () => run.push("waits") };
  await storeDue(["waits"]);
  await sql.runText({ text: "alter table schedules rename to away" });
  const stopped = start([schedule]);
  start([schedule]);
  await sleep(100);
  await stopped.stop();
  await sql.runText({ text: "alter table away rename to schedules" });

  await moveClockUntil(() => run.length > 0);
});

test("a schedule with an invalid time is refused at the start", () => {
  expect(() => startSchedules([{ name: "wrong", cron: "never", run: async () => 0 }])).toThrow(TypeError);
});
