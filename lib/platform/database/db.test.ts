import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { inBackground } from "@/lib/platform/database/database-scope";
import { poolSizes, prisma, type Sql, sql, textOf, transaction } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";

const SETTINGS = `select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as seqscan,
  current_setting('application_name') as pool`;

const HOT = { plans: "force_generic_plan", seqscan: "off", pool: "trunkline" };
const COOL = { plans: "auto", seqscan: "on", pool: "trunkline-cool" };

async function settings(on: Sql, name?: string): Promise<unknown> {
  const [row] = await on.runText(name === undefined ? { text: SETTINGS } : { name, text: SETTINGS });
  return row;
}

function usesPool(seen: unknown, pool: string): boolean {
  return typeof seen === "object" && seen !== null && "pool" in seen && seen.pool === pool;
}

test("prepared statements and transactions run with the planner settings of the hot pool", async () => {
  expect(await settings(sql, "settings-of-named")).toEqual(HOT);
  expect(await transaction((tx) => settings(tx))).toEqual(HOT);
});

test("planned statements and Prisma run without them", async () => {
  expect(await settings(sql)).toEqual(COOL);
  expect(await prisma().$queryRawUnsafe(SETTINGS)).toEqual([COOL]);
});

test("background work runs without them, prepared or not, in a transaction or not", async () => {
  const background = { ...COOL, pool: "trunkline-background" };
  const seen = await inBackground(() =>
    Promise.all([settings(sql), settings(sql, "settings-in-background"), transaction((tx) => settings(tx))]),
  );
  expect(seen).toEqual([background, background, background]);
});

test("searches take half of each pool, planned for their values, and leave the settings as they were", async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: full, resolve: fill } = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  const searches = Array.from({ length: 5 }, () =>
    boundedSearch(newId(Date.now()), 10_000, async (tx) => {
      if (seen.push(await settings(tx)) === 3) fill();
      await done;
    }),
  );
  await full;

  const planned = { plans: "force_custom_plan", seqscan: "on" };
  expect(seen).toHaveLength(3);
  expect(seen.filter((search) => usesPool(search, HOT.pool))).toEqual(
    Array(2).fill({ ...planned, pool: HOT.pool }),
  );
  expect(seen.filter((search) => usesPool(search, COOL.pool))).toEqual([{ ...planned, pool: COOL.pool }]);
  expect(await settings(sql, "settings-beside-searches")).toEqual(HOT);
  expect(await settings(sql)).toEqual(COOL);

  finish();
  await Promise.all(searches);
  const { hot, cool } = poolSizes();
  const onHot = Array.from({ length: hot * 2 }, () => transaction((tx) => settings(tx)));
  const onCool = Array.from({ length: cool * 2 }, () => settings(sql));
  for (const after of await Promise.all(onHot)) expect(after).toEqual(HOT);
  for (const after of await Promise.all(onCool)) expect(after).toEqual(COOL);
});

test("both pools together open DATABASE_POOL_SIZE connections, however many statements wait", async () => {
  const many = Array.from({ length: 60 }, (_, index) => {
    const name = index % 2 === 0 ? "named-pid" : undefined;
    return sql.runText<{ pid: number }>({
      ...(name === undefined ? {} : { name }),
      text: "select pg_backend_pid() as pid, pg_sleep(0.01)",
    });
  });
  const pids = new Set((await Promise.all(many)).map(([row]) => row?.pid));
  const [open] = await prisma().$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name in ('trunkline', 'trunkline-cool')`;

  const { hot, cool } = poolSizes();
  expect(hot + cool).toBe(env().DATABASE_POOL_SIZE);
  expect(pids.size).toBe(env().DATABASE_POOL_SIZE);
  expect(open?.count).toBe(env().DATABASE_POOL_SIZE);
});

/** Two rows, the second of which a transaction locks before it waits for the first. Resolves with whether it was ended. */
async function deadlockWith(statement: () => Promise<unknown>): Promise<boolean> {
  const running = Promise.withResolvers<void>();
  const other = transaction(async (tx) => {
    await tx.runText({ text: "update counted set n = n + 100 where id = 2" });
    running.resolve(statement().then(() => undefined));
    await untilWaiting();
    await tx.runText({ text: "update counted set n = n + 100 where id = 1" });
  });
  const isEnded = await other.then(
    () => false,
    (error: Error & { code?: string }) => error.code === "40P01",
  );
  await running.promise;
  return isEnded;
}

async function untilWaiting(): Promise<void> {
  for (;;) {
    const [row] = await sql.runText<{ waits: boolean }>({
      text: `select exists (select from pg_stat_activity
               where query like 'with first as%' and wait_event_type = 'Lock' and datname = current_database()) as waits`,
    });
    if (row?.waits === true) return;
  }
}

test("a statement that PostgreSQL ends to resolve a deadlock runs again", async () => {
  await sql.runText({ text: "create table counted (id int primary key, n int not null)" });
  await sql.runText({ text: "insert into counted values (1, 0), (2, 0)" });
  const both = `with first as (update counted set n = n + 1 where id = 1 returning id)
    update counted set n = n + 1 where id = 2 and exists (select from first)`;
  let rounds = 0;
  let others = 0;
  // PostgreSQL ends the one that began to wait first, unless the machine is too slow.
  while (others === rounds) {
    rounds++;
    if (await deadlockWith(() => sql.runText({ text: both }))) others++;
  }
  const rows = await sql.runText<{ n: number }>({ text: "select n from counted order by id" });
  expect(rows.map(({ n }) => n)).toEqual([rounds + 100, rounds + 100]);
});

test("a statement without a value for one of its parameters is refused, and not run with null", () => {
  const one = { name: "one", text: "select $1", parameters: ["here", "missing"], isPrepared: true };
  expect(() => textOf(one as never, { here: 1 } as never)).toThrow("one has no value for :missing");
  expect(textOf(one as never, { here: 1, missing: undefined } as never)).toMatchObject({
    values: [1, undefined],
  });
});
