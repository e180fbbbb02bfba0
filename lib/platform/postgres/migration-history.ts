import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The file next to the folder of migrations that lists those that the baseline replaced. */
const REPLACED = "replaced-migrations.json";
const BASELINE = /_baseline$/;
/**
 * The end of the name of a migration that earlier releases can't run with, such as one that drops a column. All others
 * only add, so that processes of the release before work until they are replaced.
 */
const CONTRACT = /_contract$/;

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export interface History {
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

export interface RecordedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The migrations that a database with these recorded ones lacks. Throws an Error if it can't be brought up to date. */
export function findPending(
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

/** Throws an Error if an applied migration was changed since, or if Prisma recorded that it failed. */
export function requireUnchanged(history: History, recorded: RecordedMigration[]): void {
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

/** Reads the migrations of a folder, in the order of their names. Defaults to `prisma/migrations` in the working directory. */
export function readHistory(dir = path.join(process.cwd(), "prisma", "migrations")): History {
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
