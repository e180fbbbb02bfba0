import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { readersOf, wakeLocally } from "@/lib/platform/database/wake";
import { SCHEDULES } from "@/lib/runtime/jobs/schedules";
import { type Schedules, startSchedules } from "@/lib/runtime/worker/start-schedules";
import { until } from "@/lib/testing/until";

let running: Schedules[] = [];

afterEach(async () => {
  await Promise.all(running.map((schedules) => schedules.stop()));
  running = [];
});

function start(...parameters: Parameters<typeof startSchedules>): Schedules {
  const schedules = startSchedules(...parameters);
  running.push(schedules);
  return schedules;
}

function scheduled(): Promise<{ name: string; cron: string }[]> {
  return sql
    .query<{ name: string; cron: string }>({ text: "select name, cron from pgboss.schedule order by name" })
    .catch(() => []);
}

const SHORT = { cron: "* * * * *", isShort: true } as const;

test("what recurs is scheduled once, however many workers there are, and the short jobs as one", async () => {
  start();
  start();

  const names = [
    ...SCHEDULES.filter(({ isShort, isNeeded }) => isShort !== true && isNeeded?.() !== false).map(
      ({ name, cron }) => ({ name, cron }),
    ),
    { name: "short-jobs", cron: "* * * * *" },
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  await until(async () => (await scheduled()).length === names.length);
  expect(await scheduled()).toEqual(names);
});

test("what is short now, or no longer needed, is not scheduled as before", async () => {
  const short = { name: "short-now", cron: SHORT.cron, run: async () => 0 };
  const unneeded = { name: "unneeded-now", cron: SHORT.cron, run: async () => 0 };
  const names = async () => (await scheduled()).map(({ name }) => name);
  const earlier = start([short, unneeded]);
  await until(async () => (await names()).includes("unneeded-now"));
  expect(await names()).toContain("short-now");
  await earlier.stop();

  start([
    { ...short, ...SHORT },
    { ...unneeded, isNeeded: () => false },
  ]);

  await until(async () => !(await names()).includes("unneeded-now"));
  expect(await names()).toContain("short-jobs");
  expect(await names()).not.toContain("short-now");
});

test("short jobs run together, and neither waits for one that takes long nor stops with one that fails", async () => {
  const run: string[] = [];
  let isWaiting = true;
  start([
    { ...SHORT, name: "takes-long", run: () => until(async () => !isWaiting).then(() => 0) },
    { ...SHORT, name: "fails", run: () => Promise.reject(new Error("the job fails")) },
    { ...SHORT, name: "counts", run: async () => run.push("counts") },
  ]);
  await until(async () => (await scheduled()).some(({ name }) => name === "short-jobs"));

  await until(async () => {
    wakeLocally("clock");
    await sleep(20);
    return run.length > 0;
  });
  isWaiting = false;

  // pg-boss repeats the job.
  await until(async () => {
    const [{ count } = { count: 0 }] = await sql.query<{ count: number }>({
      text: `select count(*)::int from pgboss.job where name = 'short-jobs' and state in ('retry', 'failed')`,
    });
    return count > 0;
  });
});

test("workers are notified of new jobs, also on a queue of an earlier version, so that they poll rarely", async () => {
  const [schedule] = SCHEDULES;
  if (schedule === undefined) throw new Error("there are no schedules");
  const notified = () =>
    sql
      .query<{ notify: boolean }>({
        text: "select notify from pgboss.queue where name = $1",
        values: [schedule.name],
      })
      .catch(() => []);
  const first = start([schedule]);
  await until(async () => (await notified())[0]?.notify === true);
  await first.stop();
  await sql.query({
    text: "update pgboss.queue set notify = false where name = $1",
    values: [schedule.name],
  });

  start([schedule]);

  await until(async () => (await notified())[0]?.notify === true);
});

test("when the clock is moved each schedule runs, on one worker of all", async () => {
  let runs = 0;
  let atOnce = 0;
  let most = 0;
  const schedule = {
    name: "count-runs",
    cron: "0 0 1 1 *",
    async run() {
      runs++;
      most = Math.max(most, ++atOnce);
      await sleep(200);
      return atOnce--;
    },
  };
  start([schedule]);
  start([schedule]);
  await until(async () => (await scheduled()).some(({ name }) => name === "count-runs"));

  await until(async () => {
    wakeLocally("clock");
    await sleep(20);
    return runs > 0;
  });
  await sleep(2500);

  expect(most).toBe(1);
});

test("a worker that stops does not wait for the rest of a long run", async () => {
  let begun = false;
  let wasAborted = false;
  const schedule = {
    name: "run-long",
    cron: "0 0 1 1 *",
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
  await until(async () => {
    wakeLocally("clock");
    await sleep(20);
    return begun;
  });

  await schedules.stop();
  expect(wasAborted).toBe(true);
});

test("a stop before the start is done leaves no reader of the clock behind", async () => {
  const before = readersOf("clock");
  const schedules = start();
  await until(async () => (await scheduled()).length > 1);
  await schedules.stop();
  expect(readersOf("clock")).toBe(before);
});

test("a stop while a start fails does not wait for the next attempt", async () => {
  const schedules = start([{ name: "not-scheduled", cron: "never", run: async () => 0 }]);
  await schedules.stop();
  expect(await scheduled()).not.toContainEqual(expect.objectContaining({ name: "not-scheduled" }));
});
