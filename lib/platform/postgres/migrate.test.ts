import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  debianVersion,
  findDebianPostgres,
  startDebianPostgres,
} from "../../testing/database/debian-postgres.ts";
import { createEmptyDatabase } from "../../testing/template-database.ts";
import { applyMigrations, pendingMigrations } from "./migrate.ts";

const ONE = "create table one (id int primary key); insert into one values (1);";
const TWO = `create function two() returns int language plpgsql as $$ begin return 2; end $$;
create table two (id int default two());`;

let dir: string;
let databases: (() => Promise<void>)[] = [];

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "trunkline-migrations-"));
  writeMigration("20260101000000_one", ONE);
  writeMigration("20260102000000_two", TWO);
});

afterEach(async () => {
  await Promise.all(databases.map((drop) => drop()));
  databases = [];
  rmSync(dir, { recursive: true, force: true });
});

test("pending migrations are applied in order and recorded as Prisma records them", async () => {
  const url = await emptyDatabase();

  expect(await applyMigrations(url, { dir })).toEqual({
    applied: ["20260101000000_one", "20260102000000_two"],
  });

  const [first, second] = await rows(url, "select * from _prisma_migrations order by started_at");
  expect(first).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    migration_name: "20260101000000_one",
    checksum: createHash("sha256").update(ONE).digest("hex"),
    started_at: expect.any(Date),
    finished_at: expect.any(Date),
    applied_steps_count: 1,
    logs: null,
    rolled_back_at: null,
  });
  expect(second?.migration_name).toBe("20260102000000_two");
});

test("a second start applies nothing, and a later migration alone", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, { dir });

  expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });

  writeMigration("20260103000000_three", "create table three (id int)");
  expect(await pendingMigrations(url, { dir })).toEqual(["20260103000000_three"]);
  expect(await applyMigrations(url, { dir })).toEqual({ applied: ["20260103000000_three"] });
});

test("pendingMigrations lists the migrations of an empty database, which stays empty", async () => {
  const url = await emptyDatabase();

  expect(await pendingMigrations(url, { dir })).toEqual(["20260101000000_one", "20260102000000_two"]);

  expect(await rows(url, "select from pg_class where relname = '_prisma_migrations'")).toEqual([]);
});

test("one of five concurrent starts applies each migration", async () => {
  writeMigration("20260100000000_slow", "select pg_sleep(0.3)");
  const url = await emptyDatabase();

  const results = await Promise.all([1, 2, 3, 4, 5].map(() => applyMigrations(url, { dir })));

  const applied = results.flatMap((result) => result.applied).sort();
  expect(applied).toEqual(["20260100000000_slow", "20260101000000_one", "20260102000000_two"]);
  expect(await rows(url, "select count(*)::int as count from _prisma_migrations")).toEqual([{ count: 3 }]);
  expect(await rows(url, "select id from one")).toEqual([{ id: 1 }]);
});

test("a migration that was changed after it was applied is refused", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, { dir });

  writeMigration("20260101000000_one", `${ONE} -- changed`);
  writeMigration("20260103000000_three", "create table three (id int)");

  const refusal = "20260101000000_one was changed after it was applied";
  await expect(applyMigrations(url, { dir })).rejects.toThrow(refusal);
  await expect(pendingMigrations(url, { dir })).rejects.toThrow(refusal);
  expect(await rows(url, "select from pg_class where relname = 'three'")).toEqual([]);
});

test("a migration that fails leaves nothing, names its line, and works once repaired", async () => {
  const url = await emptyDatabase();
  writeMigration("20260103000000_three", "create table three (id int);\nselect * from nowhere;");

  await expect(applyMigrations(url, { dir })).rejects.toThrow(
    '20260103000000_three failed and was rolled back: relation "nowhere" does not exist (line 2)',
  );
  expect(await rows(url, "select from pg_class where relname = 'three'")).toEqual([]);

  writeMigration("20260103000000_three", "create table three (id int);");
  expect(await applyMigrations(url, { dir })).toEqual({ applied: ["20260103000000_three"] });
});

test("a migration that Prisma recorded as failed stops the start until it is resolved", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, { dir });
  await rows(url, "update _prisma_migrations set finished_at = null where migration_name like '%_two'");

  const refusal = "npm run db -- migrate resolve --applied 20260102000000_two";
  await expect(applyMigrations(url, { dir })).rejects.toThrow(refusal);
  await expect(pendingMigrations(url, { dir })).rejects.toThrow(refusal);

  // This is the effect of `migrate resolve --rolled-back`, which an operator runs after undoing the migration by
  // hand.
  await rows(url, "update _prisma_migrations set rolled_back_at = now() where finished_at is null");
  await rows(url, "drop table two; drop function two()");
  expect(await applyMigrations(url, { dir })).toEqual({ applied: ["20260102000000_two"] });
});

test("a database that a newer release contracted is refused, and left as it is", async () => {
  const url = await emptyDatabase();
  writeMigration("20260103000000_drop_two_contract", "drop table two");
  await applyMigrations(url, { dir });

  rmSync(path.join(dir, "20260103000000_drop_two_contract"), { recursive: true });
  writeMigration("20260101120000_never_released", "create table three (id int)");

  const refusal = "A newer release of Trunkline upgraded this database (20260103000000_drop_two_contract)";
  await expect(applyMigrations(url, { dir })).rejects.toThrow(refusal);
  await expect(pendingMigrations(url, { dir })).rejects.toThrow(refusal);
  expect(await rows(url, TABLES)).toEqual([{ relname: "one" }]);
});

test("a migration lets go of its locks when others hold the next one, and applies when they end", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, { dir });
  writeMigration("20260103000000_both", "alter table one add column a int; alter table two add column a int");
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    // The other way around: with a migration that waits, each would wait for the other.
    await other.query("begin; lock table two in access share mode");
    const applied = applyMigrations(url, { dir });
    await expect
      .poll(() => rows(url, "select 1 from pg_locks where not granted and relation = 'two'::regclass"))
      .toHaveLength(1);
    await other.query("lock table one in access share mode");
    await other.query("commit");
    expect(await applied).toEqual({ applied: ["20260103000000_both"] });
  } finally {
    await other.end();
  }
});

test("a release runs on a database to which a newer release only added", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, { dir });

  rmSync(path.join(dir, "20260102000000_two"), { recursive: true });
  expect(await pendingMigrations(url, { dir })).toEqual([]);
  expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
  expect(await rows(url, TABLES)).toEqual([{ relname: "one" }, { relname: "two" }]);
});

const TABLES = "select relname from pg_class where relname in ('one', 'two', 'three') order by 1";

const debian = findDebianPostgres();
if (debian === undefined) console.log("Debian's PostgreSQL is not installed: its tests are skipped.");

describe.skipIf(debian === undefined)(
  `on an operator's own server, PostgreSQL ${debianVersion(debian ?? "")}`,
  () => {
    let server: Awaited<ReturnType<typeof startDebianPostgres>>;
    let directory: string;

    beforeAll(async () => {
      directory = mkdtempSync(path.join(tmpdir(), "trunkline-debian-"));
      chmodSync(directory, 0o711);
      server = await startDebianPostgres(debian ?? "", directory);
    });

    afterAll(async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    test("Trunkline's own migrations apply for a user who owns the database and nothing else", async () => {
      await rows(server.adminUrl, "create database trunkline owner trunkline");
      const url = server.url.replace(/\/postgres$/, "/trunkline");

      const { applied } = await applyMigrations(url);

      expect(applied.length).toBeGreaterThan(0);
      expect(await pendingMigrations(url)).toEqual([]);
      expect(await applyMigrations(url)).toEqual({ applied: [] });
    });

    test("of three starts at once, one applies each migration there too", async () => {
      await rows(server.adminUrl, "create database concurrent owner trunkline");
      const url = server.url.replace(/\/postgres$/, "/concurrent");

      const results = await Promise.all([1, 2, 3].map(() => applyMigrations(url, { dir })));

      expect(results.flatMap((result) => result.applied)).toHaveLength(2);
    });
  },
);

function writeMigration(name: string, sql: string): void {
  mkdirSync(path.join(dir, name), { recursive: true });
  writeFileSync(path.join(dir, name, "migration.sql"), sql);
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createEmptyDatabase();
  databases.push(drop);
  return url;
}

async function rows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
