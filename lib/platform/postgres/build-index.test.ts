import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase } from "../../testing/template-database.ts";
import { findIndexBuild } from "./build-index.ts";
import { applyMigrations } from "./migrate.ts";

/** The lock that holds a build while it reads the rows, and Prisma's own. */
const HELD = 77;
const MIGRATION_LOCK = 72707369;
const TABLE = `create table news (id int);
create function held(id int) returns int immutable language plpgsql as $$ begin
  perform pg_advisory_xact_lock_shared(${HELD});
  return id;
end $$;`;
const INDEX = '-- Found by its id.\nCREATE INDEX "news_idx" ON "news"(held(id)) WHERE (id > 0);\n';
const NAME = "20260102000000_index";

let dir: string;
let url: string;
let drop: () => Promise<void>;
let holder: pg.Client;
let other: pg.Client;

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "trunkline-index-"));
  ({ url, drop } = await createEmptyDatabase());
  [holder, other] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  other.on("error", () => undefined);
  await Promise.all([holder.connect(), other.connect()]);
  writeMigration("20260101000000_table", TABLE);
  await applyMigrations(url, { dir });
  await holder.query("insert into news select n from generate_series(1, 100) n");
  writeMigration(NAME, INDEX);
});

afterEach(async () => {
  await Promise.all([holder.end(), other.end()]);
  await drop();
  rmSync(dir, { recursive: true, force: true });
});

function writeMigration(name: string, sql: string): void {
  mkdirSync(path.join(dir, name), { recursive: true });
  writeFileSync(path.join(dir, name, "migration.sql"), sql);
}

/** Resolves while the build reads the rows, until `release`. */
async function untilHeld(): Promise<void> {
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${HELD} and not granted`;
  await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1);
}

const hold = () => holder.query(`select pg_advisory_lock(${HELD})`);
const release = () => holder.query(`select pg_advisory_unlock(${HELD})`);

async function indexes(): Promise<unknown[]> {
  const { rows } = await holder.query(
    `select c.relname as name, i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'news'::regclass`,
  );
  return rows;
}

test("rows are written at once while one of two starts builds an index, and are in it", async () => {
  await hold();
  const starts = [applyMigrations(url, { dir }), applyMigrations(url, { dir })];
  await untilHeld();
  await other.query("set lock_timeout = 100");
  await other.query("insert into news values (101)");
  await other.query("update news set id = 200 where id = 2");
  await other.query("delete from news where id = 3");
  await release();

  const results = await Promise.all(starts);
  expect(results.flatMap(({ applied }) => applied)).toEqual([NAME]);
  expect(await indexes()).toEqual([{ name: "news_idx", isValid: true }]);
  await other.query("set enable_seqscan = off");
  const found = await other.query("select id from news where held(id) > 99 and id > 0 order by id");
  expect(found.rows).toEqual([{ id: 100 }, { id: 101 }, { id: 200 }]);
  expect(await applyMigrations(url, { dir })).toEqual({ applied: [] });
});

test("an index whose build was killed is built by the next start", async () => {
  await hold();
  const killed = applyMigrations(url, { dir });
  const outcome = expect(killed).rejects.toThrow(`The migration ${NAME} did not build its index`);
  await untilHeld();
  await holder.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'create index%'",
  );
  await outcome;
  expect(await indexes()).toEqual([{ name: "news_idx", isValid: false }]);
  await release();

  expect(await applyMigrations(url, { dir })).toEqual({ applied: [NAME] });
  expect(await indexes()).toEqual([{ name: "news_idx", isValid: true }]);
});

test("a start of the release before, which waits for the lock in a statement, goes ahead, and the index is built after it", async () => {
  await hold();
  const applied = applyMigrations(url, { dir });
  await untilHeld();
  await other.query("begin");
  const earlier = other.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  // PostgreSQL looks once for a deadlock of this statement, after a second, and finds none.
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${MIGRATION_LOCK} and not granted
    and waitstart < clock_timestamp() - interval '1.5 s'`;
  await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1);
  await release();

  // The build waits for its statement, it for the lock: the build gives way.
  await earlier;
  await other.query("commit");
  expect(await applied).toEqual({ applied: [NAME] });
  expect(await indexes()).toEqual([{ name: "news_idx", isValid: true }]);
});

test("only a statement alone, on a table with rows that has no partitions, is built so", async () => {
  await holder.query(`create table empty (id int); create table parts (id int) partition by list (id);
    create table part partition of parts default; insert into parts values (1)`);
  const found = async (sql: string) => (await findIndexBuild(holder, sql))?.sql ?? null;
  expect(await found(INDEX)).toBe('CREATE index concurrently "news_idx" ON "news"(held(id)) WHERE (id > 0);');
  expect(await found("create unique index news_key on news (id)")).toBe(
    "create unique index concurrently news_key on news (id)",
  );
  for (const sql of [
    "create index empty_idx on empty (id)",
    "create index parts_idx on parts (id)",
    "create index none_idx on none (id)",
    "create index news_idx on news (id); analyze news",
    "alter table news add column name text; create index news_idx on news (name)",
    "",
  ]) {
    expect(await found(sql), sql).toBeNull();
  }
});
