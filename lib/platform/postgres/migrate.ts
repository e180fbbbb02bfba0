import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { BoundedClient, boundedOptions } from "./bounded-client.ts";

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
const RETRY_MS = 200;
/** The file next to the folder of migrations that lists those that the baseline replaced. */
const REPLACED = "replaced-migrations.json";
const BASELINE = /_baseline$/;
/**
 * The end of the name of a migration that earlier releases can't run with, such as one that drops a column. All others
 * only add, so that processes of the release before work until they are replaced.
 */
const CONTRACT = /_contract$/;

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

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface History {
  /** The baseline, which creates a whole database, and the migrations after it. */
  migrations: Migration[];
  replaced: Replaced;
}

/** The migrations that the baseline replaced. */
interface Replaced {
  /** The last commit that contains them. */
  commit: string;
  /** Their checksums by name. */
  checksums: Readonly<Record<string, string>>;
}

interface RecordedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

interface MigrateOptions {
  /** Prisma's migrations folder. Defaults to `prisma/migrations` in the working directory. */
  dir?: string;
}

/**
 * Applies the folder's migrations in the order of their names and records them as Prisma does. Each runs in its own
 * transaction under Prisma's lock, so one of several processes applies it while the others wait. A migration that waits for
 * statements of running processes lets go after half a second and tries again, for up to two minutes. An empty database
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
  for (;;) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      await sleep(RETRY_MS + Math.random() * RETRY_MS);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && (cause.code === LOCK_NOT_AVAILABLE || cause.code === DEADLOCK);
}

/** Applies the first pending migration. Returns undefined when there is none. The lock ends with the transaction. */
async function applyNext(client: pg.Client, history: History): Promise<string | undefined> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    if (!(await hasTable(client))) await client.query(CREATE_TABLE);
    const recorded = await readRecorded(client);
    requireUnchanged(history, recorded);
    const next = findPending(history, recorded)[0];
    if (next !== undefined) await apply(client, next);
    await client.query("commit");
    return next?.name;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date();
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    await client.query(sql);
  } catch (error) {
    throw new Error(`The migration ${name} failed and was rolled back: ${describeFailure(error, sql)}`, {
      cause: error,
    });
  }
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

function findPending(
  { migrations, replaced }: History,
  recorded: readonly Pick<RecordedMigration, "migration_name">[],
): Migration[] {
  const known = new Set(recorded.map((row) => row.migration_name));
  const isMissing = ({ name }: Migration) => !known.has(name);
  const isOlder = migrations.some((each) => isBaseline(each) && isMissing(each)) && known.size > 0;
  if (!isOlder) {
    requireNoNewer([...migrations.map(({ name }) => name), ...Object.keys(replaced.checksums)], known);
    return migrations.filter(isMissing);
  }
  requireReplaced(replaced, known);
  // The tables exist, so the baseline is only recorded.
  return migrations.filter(isMissing).map((each) => (isBaseline(each) ? { ...each, sql: "" } : each));
}

/** Without the baseline, a database needs all migrations that it replaced. */
function requireReplaced({ commit, checksums }: Replaced, recorded: ReadonlySet<string>): void {
  const names = Object.keys(checksums).sort();
  const missing = names.find((name) => !recorded.has(name));
  if (names.length > 0 && missing === undefined) return;
  if (!names.some((name) => recorded.has(name))) {
    throw new Error(
      `This database has migrations that Trunkline does not know (${[...recorded].sort()[0]}), so its tables cannot be brought up to date. If an early Trunkline created it, check out commit ${commit} of Trunkline, start it with this database once, and then start this release again. Otherwise name another database in DATABASE_URL.`,
    );
  }
  throw new Error(
    `This database lacks the migration ${missing}, which this release no longer contains. Check out commit ${commit} of Trunkline, start it with this database once, and then start this release again.`,
  );
}

/** Whether releases from before a migration can't run with it. */
export function isContracting(name: string): boolean {
  return CONTRACT.test(name);
}

/** After a contracting migration, the schema may lack what the statements of this release name. */
function requireNoNewer(names: readonly string[], recorded: ReadonlySet<string>): void {
  const newer = [...recorded].filter((name) => !names.includes(name) && isContracting(name)).sort();
  if (newer.length === 0) return;
  throw new Error(
    `A newer release of Trunkline upgraded this database (${newer[0]}). Start that release or a later one, or restore a backup from before the upgrade.`,
  );
}

function isBaseline({ name }: Migration): boolean {
  return BASELINE.test(name);
}

function requireUnchanged(history: History, recorded: RecordedMigration[]): void {
  const current = new Map(history.migrations.map(({ name, checksum }) => [name, checksum]));
  const { commit, checksums } = history.replaced;
  for (const { migration_name: name, checksum, finished_at } of recorded) {
    const replaced = checksums[name];
    if (finished_at === null) {
      const checkout =
        replaced === undefined ? "a checkout that contains it" : `a checkout of commit ${commit}`;
      const place = current.has(name) ? "" : ` in ${checkout}`;
      throw new Error(
        `The migration ${name} failed partway when Prisma applied it. Repair the database, then set DATABASE_URL to it and run${place}: npm run db -- migrate resolve --applied ${name} (or --rolled-back).`,
      );
    }
    if (current.has(name) && current.get(name) !== checksum) {
      throw new Error(
        `The migration ${name} was changed after it was applied to this database. Restore its migration.sql and put the change in a new migration.`,
      );
    }
    if (replaced !== undefined && replaced !== checksum) {
      throw new Error(
        `The migration ${name} of this database is not the one of commit ${commit}, so its tables may differ. If its schema is that of a new database, set the checksum in _prisma_migrations to ${replaced}.`,
      );
    }
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version') as name, current_setting('server_version_num')::int as number",
  );
  if (rows[0]?.number >= OLDEST_SERVER) return;
  throw new Error(`This database is PostgreSQL ${rows[0]?.name}; Trunkline requires PostgreSQL 15 or newer.`);
}

function readHistory(dir = path.join(process.cwd(), "prisma", "migrations")): History {
  const file = path.join(path.dirname(dir), REPLACED);
  const replaced = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { commit: "", checksums: {} };
  return { migrations: readMigrations(dir), replaced };
}

function readMigrations(dir: string): Migration[] {
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map((entry) => entry.name)
    .sort()
    .map((name) => readMigration(dir, name));
}

function readMigration(dir: string, name: string): Migration {
  const sql = readFileSync(path.join(dir, name, "migration.sql"), "utf8");
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
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
