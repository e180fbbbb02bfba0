import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { readCatalog } from "../../testing/database/database-catalog.ts";
import { createEmptyDatabase, createTestDatabase } from "../../testing/template-database.ts";
import { applyMigrations, pendingMigrations } from "./migrate.ts";

const MIGRATIONS = path.resolve("prisma/migrations");
const SUPERSEDED = path.resolve("prisma/superseded-migrations");
const OLD = readdirSync(SUPERSEDED).sort();
const CURRENT = readdirSync(MIGRATIONS).filter((name) => name !== "migration_lock.toml");
const INSERT = `insert into partners (id, name) values ('01a00000-0000-7000-8000-000000000001', 'kept')`;

let undo: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const each of undo.reverse()) await each();
  undo = [];
});

test("a new database runs the baseline and what came after it, none of the migrations it was made of", async () => {
  expect(await recorded(await newDatabase())).toEqual(CURRENT);
});

test("a database with every old migration has the schema of the baseline, and only records it", async () => {
  const url = await databaseAt(OLD.length);
  const fresh = await newDatabase();

  expect(await pendingMigrations(url)).toEqual(CURRENT);
  expect(await applyMigrations(url)).toEqual({ applied: CURRENT });

  expect(await readCatalog(url)).toEqual(await readCatalog(fresh));
  expect(await recorded(url)).toEqual([...OLD, ...CURRENT].sort());
  expect(await query(url, "select name from partners")).toEqual([{ name: "kept" }]);
  expect(await applyMigrations(url)).toEqual({ applied: [] });
});

test("a database midway through the old migrations gets the others first, and keeps its rows", async () => {
  const midway = Math.floor(OLD.length / 2);
  const url = await databaseAt(midway);
  const fresh = await newDatabase();

  expect(await applyMigrations(url)).toEqual({ applied: [...OLD.slice(midway), ...CURRENT] });

  expect(await readCatalog(url)).toEqual(await readCatalog(fresh));
  expect(await query(url, "select name from partners")).toEqual([{ name: "kept" }]);
});

test("of three starts on an old database, one upgrades it", async () => {
  const url = await databaseAt(OLD.length - 2);

  const results = await Promise.all([1, 2, 3].map(() => applyMigrations(url)));

  expect(results.flatMap(({ applied }) => applied).sort()).toEqual([...OLD.slice(-2), ...CURRENT].sort());
});

test("a database of something else is refused, and left as it is", async () => {
  const url = await databaseAt(1);
  await query(url, "update _prisma_migrations set migration_name = '20200101000000_other'");

  await expect(applyMigrations(url)).rejects.toThrow(
    "migrations that Trunkline does not know (20200101000000_other)",
  );

  expect(await recorded(url)).toEqual(["20200101000000_other"]);
});

test("an old migration that was changed after it was applied is refused", async () => {
  const url = await databaseAt(2);
  await query(url, `update _prisma_migrations set checksum = 'other' where migration_name = '${OLD[0]}'`);

  await expect(applyMigrations(url)).rejects.toThrow(`${OLD[0]} was changed after it was applied`);
});

/** A database from a release before the baseline: with the first `count` old migrations and one row. */
async function databaseAt(count: number): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), "trunkline-superseded-"));
  undo.push(() => rmSync(dir, { recursive: true, force: true }));
  const migrations = path.join(dir, "migrations");
  mkdirSync(migrations);
  for (const name of OLD.slice(0, count)) {
    cpSync(path.join(SUPERSEDED, name), path.join(migrations, name), { recursive: true });
  }
  const url = await emptyDatabase();
  expect((await applyMigrations(url, { dir: migrations })).applied).toHaveLength(count);
  await query(url, INSERT);
  return url;
}

/** A database as the first start creates it. */
async function newDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  undo.push(drop);
  return url;
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createEmptyDatabase();
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
