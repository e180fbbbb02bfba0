import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { BoundedClient, boundedOptions } from "./bounded-client.ts";
import { buildIndex, findIndexBuild, type IndexBuild } from "./build-index.ts";
import {
  findPending,
  type History,
  type Migration,
  type RecordedMigration,
  readHistory,
  requireUnchanged,
} from "./migration-history.ts";

/** The key of Prisma's own migration lock, so that its CLI and Trunkline wait for each other. */
const MIGRATION_LOCK = 72707369;
const OLDEST_SERVER = 150000;
/**
 * How long a migration waits for a lock before it lets go of its own and tries again. Shorter than PostgreSQL's
 * deadlock_timeout, so that a deadlock with a process of the release before never ends that process's statement.
 */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";
const LOCKED_MS = 120_000;
const LOCK_POLL_MS = 50;
const RETRY_MS = 200;
/** Repeated at least so often, because one try may build an index for longer than `LOCKED_MS`. */
const MIN_TRIES = 5;

// Prisma's definition, word for word, because its CLI reads and writes this table too.
const CREATE_TABLE = `create table _prisma_migrations (
  id                  varchar(36) primary key not null,
  checksum            varchar(64) not null,
  finished_at         timestamptz,
  migration_name      varchar(255) not null,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

interface MigrateOptions {
  /** Prisma's migrations folder. Defaults to `prisma/migrations` in the working directory. */
  dir?: string;
}

/**
 * Applies the folder's migrations in the order of their names and records them as Prisma does. Each runs in its own
 * transaction under Prisma's lock, so one of several processes applies it while the others wait. A migration that waits for
 * statements of running processes lets go after half a second and tries again, for up to two minutes. One that only creates an
 * index on a table with rows builds it concurrently instead (`buildIndex`), however long that takes. An empty database
 * gets the baseline. A database with all migrations that the baseline replaced only records it, because its tables
 * already exist. Throws an Error that names the migration when it fails (its transaction is rolled back), when an applied
 * migration has changed, when Prisma recorded a failed one, when a replaced one is missing, or when a newer release
 * applied one that this release can't run with (`_contract`), and an Error when the server is older than PostgreSQL 15.
 */
export async function applyMigrations(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const history = readHistory(options.dir);
  return withClient(databaseUrl, async (client) => {
    await requireServerVersion(client);
    // A crash may lose the last migrations, and with them all that came after. The next start applies them again.
    await client.query("set synchronous_commit = off");
    const applied: string[] = [];
    for (;;) {
      const name = await untilUnlocked(() => applyNext(client, history));
      if (name === undefined) return { applied };
      applied.push(name);
    }
  });
}

/**
 * Returns the names of the migrations that the database lacks. Changes nothing. Throws an Error about the migrations of the
 * database if `applyMigrations` would.
 */
export async function pendingMigrations(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<string[]> {
  const history = readHistory(options.dir);
  return withClient(databaseUrl, async (client) => {
    const recorded = (await hasTable(client)) ? await readRecorded(client) : [];
    requireUnchanged(history, recorded);
    return findPending(history, recorded).map((migration) => migration.name);
  });
}

/**
 * Throws an Error if this release can't start with a database whose newest migration is `newest`, and that has the known
 * ones before it.
 */
export function requireMigratable(newest: string, options: MigrateOptions = {}): void {
  const history = readHistory(options.dir);
  const known = [...Object.keys(history.replaced.checksums), ...history.migrations.map(({ name }) => name)];
  const names = [newest, ...known.filter((name) => name < newest)];
  findPending(
    history,
    names.map((name) => ({ migration_name: name })),
  );
}

/** Repeats a migration that found tables locked by others. */
async function untilUnlocked<Result>(migrate: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + LOCKED_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLocked(error) || (performance.now() > deadline && tries >= MIN_TRIES)) throw error;
      await sleep(RETRY_MS + Math.random() * RETRY_MS);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && (cause.code === LOCK_NOT_AVAILABLE || cause.code === DEADLOCK);
}

/** Applies the first pending migration. Returns undefined when there is none. */
async function applyNext(client: pg.Client, history: History): Promise<string | undefined> {
  await lock(client);
  try {
    const { next, index } = await applyInTransaction(client, history);
    if (next !== undefined && index !== null) await applyIndex(client, next, index);
    return next?.name;
  } finally {
    await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => undefined);
  }
}

// Between two tries, no statement is open: a build of an index waits for the statements of others, also for one that waits
// for this lock. The session has it, because the build is not in a transaction.
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [MIGRATION_LOCK]);
    if (rows[0]?.locked === true) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** Applies the first pending migration, or returns the index that it builds. */
async function applyInTransaction(
  client: pg.Client,
  history: History,
): Promise<{ next: Migration | undefined; index: IndexBuild | null }> {
  await client.query("begin");
  try {
    if (!(await hasTable(client))) await client.query(CREATE_TABLE);
    const recorded = await readRecorded(client);
    requireUnchanged(history, recorded);
    const next = findPending(history, recorded)[0];
    const index = next === undefined ? null : await findIndexBuild(client, next.sql);
    if (next !== undefined && index === null) await apply(client, next);
    await client.query("commit");
    return { next, index };
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  const startedAt = new Date();
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    await client.query(sql);
  } catch (error) {
    throw new Error(`The migration ${name} failed and was rolled back: ${describeFailure(error, sql)}`, {
      cause: error,
    });
  }
  await record(client, migration, startedAt);
}

async function applyIndex(client: pg.Client, migration: Migration, index: IndexBuild): Promise<void> {
  const startedAt = new Date();
  try {
    await buildIndex(client, index);
  } catch (error) {
    throw new Error(
      `The migration ${migration.name} did not build its index: ${describeFailure(error, index.sql)}`,
      { cause: error },
    );
  }
  await record(client, migration, startedAt);
}

async function record(client: pg.Client, { name, checksum }: Migration, startedAt: Date): Promise<void> {
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, startedAt],
  );
}

function describeFailure(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line =
    error.position === undefined ? undefined : sql.slice(0, Number(error.position)).split("\n").length;
  return line === undefined ? error.message : `${error.message} (line ${line})`;
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('_prisma_migrations') is not null as present");
  return rows[0]?.present === true;
}

async function readRecorded(client: pg.Client): Promise<RecordedMigration[]> {
  const { rows } = await client.query<RecordedMigration>(
    "select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null",
  );
  return rows;
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version') as name, current_setting('server_version_num')::int as number",
  );
  if (rows[0]?.number >= OLDEST_SERVER) return;
  throw new Error(`This database is PostgreSQL ${rows[0]?.name}; Trunkline requires PostgreSQL 15 or newer.`);
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new BoundedClient(
    // Migrations have no time limit.
    boundedOptions({ url, applicationName: "trunkline migrate", statementMs: 0 }),
  );
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
