import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readCatalog } from "../../testing/database/database-catalog.ts";
import {
  copyTestDatabase,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../../testing/template-database.ts";
import { applyMigrations, pendingMigrations, requireMigratable } from "./migrate.ts";

const MIGRATIONS = path.resolve("prisma/migrations");
const CURRENT = readdirSync(MIGRATIONS).filter((name) => name !== "migration_lock.toml");
const [BASELINE = ""] = CURRENT;
const { commit: COMMIT, checksums: REPLACED }: { commit: string; checksums: Record<string, string> } =
  JSON.parse(readFileSync("prisma/replaced-migrations.json", "utf8"));
const OLD = Object.keys(REPLACED).sort();
const INSERT = `insert into partners (id, name) values ('01a00000-0000-7000-8000-000000000001', 'kept')`;

/** The tables of the baseline and a row, without recorded migrations. Tests copy it. */
let withTables: TestDatabase;
let undo: (() => Promise<void>)[] = [];

beforeAll(async () => {
  withTables = await createTables();
});

afterAll(() => withTables.drop());

afterEach(async () => {
  for (const each of undo.reverse()) await each();
  undo = [];
});

test("a new database runs the baseline and the migrations after it", async () => {
  expect(BASELINE).toMatch(/_baseline$/);
  expect(OLD.every((name) => name < BASELINE)).toBe(true);
  expect(await recorded(await newDatabase())).toEqual(CURRENT);
});

test("a database with every replaced migration records the baseline, runs those after it and keeps its rows", async () => {
  const url = await databaseWith(OLD);
  const fresh = await newDatabase();

  expect(await pendingMigrations(url)).toEqual(CURRENT);
  expect(await applyMigrations(url)).toEqual({ applied: CURRENT });

  expect(await readCatalog(url)).toEqual(await readCatalog(fresh));
  expect(await recorded(url)).toEqual([...OLD, ...CURRENT].sort());
  expect(await query(url, "select name from partners")).toEqual([{ name: "kept" }]);
  expect(await applyMigrations(url)).toEqual({ applied: [] });
});

test("a database that also has migrations from before the replaced ones records the baseline", async () => {
  const url = await databaseWith(["20261121000000_init", ...OLD]);

  expect(await applyMigrations(url)).toEqual({ applied: CURRENT });
});

test("a database that lacks a replaced migration is refused, with the commit to start first, and left as it is", async () => {
  const url = await databaseWith(OLD.slice(0, -2));
  const refusal = `This database lacks the migration ${OLD.at(-2)}, which this release no longer contains. Check out commit 41d88fad of Trunkline, start it with this database once, and then start this release again.`;

  await expect(applyMigrations(url)).rejects.toThrow(refusal);
  await expect(pendingMigrations(url)).rejects.toThrow(refusal);

  expect(await recorded(url)).toEqual(OLD.slice(0, -2));
});

test("an upgrade leaves the schema of pg-boss to the processes of the release before", async () => {
  const url = await databaseWith(OLD);
  await query(url, "create schema pgboss create table job (id int)");

  await applyMigrations(url);

  expect(await query(url, "select to_regclass('pgboss.job')::text as job")).toEqual([{ job: "pgboss.job" }]);
});

test("a database that recorded a migration whose folder was deleted since is started", async () => {
  const url = await newDatabase();
  await record(url, "20261128091100_without_pgboss");

  expect(await pendingMigrations(url)).toEqual([]);
  expect(await applyMigrations(url)).toEqual({ applied: [] });
});

test("a database can be migrated if its newest migration is the last replaced one or later", () => {
  const accepted = [OLD.at(-1), ...CURRENT, "20261128091100_without_pgboss", "29990101000000_newer"];
  for (const name of accepted) expect(() => requireMigratable(name ?? "")).not.toThrow();

  expect(() => requireMigratable(OLD.at(-2) ?? "")).toThrow(`lacks the migration ${OLD.at(-1)}`);
  expect(() => requireMigratable("20261121000000_a")).toThrow("does not know (20261121000000_a)");
  expect(() => requireMigratable("29990101000000_newer_contract")).toThrow("A newer release of Trunkline");
});

test("one of three starts on an older database upgrades it", async () => {
  const url = await databaseWith(OLD);

  const results = await Promise.all([1, 2, 3].map(() => applyMigrations(url)));

  expect(results.flatMap(({ applied }) => applied).sort()).toEqual(CURRENT);
});

test("a database of something else is refused, and left as it is", async () => {
  const url = await databaseWith(["20200101000000_other"]);

  await expect(applyMigrations(url)).rejects.toThrow(
    /migrations that Trunkline does not know \(20200101000000_other\).* check out commit 41d88fad of Trunkline/,
  );

  expect(await recorded(url)).toEqual(["20200101000000_other"]);
});

test("a replaced migration that was changed before it was applied is refused, with the checksum that it had", async () => {
  const url = await databaseWith(OLD);
  await query(url, `update _prisma_migrations set checksum = 'other' where migration_name = '${OLD[0]}'`);

  await expect(applyMigrations(url)).rejects.toThrow(
    `The migration ${OLD[0]} of this database is not the one of commit 41d88fad, so its tables may differ. If its schema is that of a new database, set the checksum in _prisma_migrations to ${REPLACED[OLD[0] ?? ""]}.`,
  );
});

test.each([
  { name: OLD[0] ?? "", place: " in a checkout of commit 41d88fad" },
  { name: "20261128091100_without_pgboss", place: " in a checkout that contains it" },
  { name: BASELINE, place: "" },
])("a failed migration is resolved where its folder is: $name", async ({ name, place }) => {
  const url = await newDatabase();
  await query(url, `delete from _prisma_migrations where migration_name = '${name}'`);
  await record(url, name);
  await query(url, `update _prisma_migrations set finished_at = null where migration_name = '${name}'`);

  await expect(applyMigrations(url)).rejects.toThrow(
    `Repair the database, then set DATABASE_URL to it and run${place}: npm run db -- migrate resolve --applied ${name} (or --rolled-back).`,
  );
});

test.skipIf(!hasCommit(COMMIT))(
  "the commit to start first contains every replaced migration as it was applied",
  () => {
    const checksums = OLD.map((name) => [
      name,
      checksumIn(COMMIT, `prisma/migrations/${name}/migration.sql`),
    ]);
    expect(Object.fromEntries(checksums)).toEqual(REPLACED);
  },
);

function hasCommit(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]).status === 0;
}

function checksumIn(commit: string, file: string): string {
  return createHash("sha256")
    .update(execFileSync("git", ["show", `${commit}:${file}`]))
    .digest("hex");
}

/** A database from before the baseline: with its tables, a row, and other migrations recorded. */
async function databaseWith(names: readonly string[]): Promise<string> {
  const { url, drop } = await copyTestDatabase(withTables);
  undo.push(drop);
  await record(url, ...names);
  return url;
}

async function createTables(): Promise<TestDatabase> {
  const dir = mkdtempSync(path.join(tmpdir(), "trunkline-baseline-"));
  const migrations = path.join(dir, "migrations");
  mkdirSync(migrations);
  cpSync(path.join(MIGRATIONS, BASELINE), path.join(migrations, BASELINE), { recursive: true });
  const database = await createEmptyDatabase();
  await applyMigrations(database.url, { dir: migrations });
  await query(database.url, INSERT);
  await query(database.url, "delete from _prisma_migrations");
  rmSync(dir, { recursive: true });
  return database;
}

async function record(url: string, ...names: string[]): Promise<void> {
  const rows = names.map(
    (name) => `(gen_random_uuid(), '${REPLACED[name] ?? "unknown"}', '${name}', now(), 1)`,
  );
  await query(
    url,
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ${rows.join()}`,
  );
}

/** A database as the first start creates it. */
async function newDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  undo.push(drop);
  return url;
}

async function recorded(url: string): Promise<unknown[]> {
  const rows = await query(url, "select migration_name from _prisma_migrations order by migration_name");
  return rows.map((row) => row.migration_name);
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
