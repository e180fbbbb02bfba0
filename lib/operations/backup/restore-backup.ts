import "server-only";
import { chownSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { type BackupManifest, copiedFiles, readManifest } from "@/lib/operations/backup/backup-manifest";
import { copyFolder } from "@/lib/operations/backup/copy/copy-folder";
import { restoreFilesToBucket, restoreFilesToDisk } from "@/lib/operations/backup/copy/restore-files";
import { moveCountersForward } from "@/lib/operations/backup/move-counters";
import { findPostgresTool, runPostgresTool } from "@/lib/operations/backup/run-postgres-tool";
import {
  type CanaryRow,
  opensDatabase,
  SELECT_CANARIES,
} from "@/lib/operations/startup/check-encryption-key";
import { keyFile, readKeyFile } from "@/lib/operations/startup/prepare-instance";
import { startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { pendingMigrations, requireMigratable } from "@/lib/platform/postgres/migrate";
import { openPostgresHome, removePostgresHome, type SystemUser } from "@/lib/platform/postgres/postgres-home";
import { createPrivateFile, writePrivateFile } from "@/lib/platform/postgres/private-file";

/** A server on a scratch restore, which a crash may destroy. Syncing its thousands of files takes longer than reading them. */
export const SCRATCH_OPTIONS = { settings: { fsync: "off" } } as const;

/** Where a backup is restored to. */
export interface RestoreTarget {
  /** The new instance's DATA_DIR. Must be empty or missing. */
  dataDir: string;
  /** The new instance's empty database, for a backup made by pg_dump. */
  databaseUrl: string | undefined;
  /** The bucket that the new instance uses. Without it, files are restored to `dataDir`. */
  bucket?: ObjectStore | null;
  /** Receives messages for the operator, such as where the database is when its user has no access to `dataDir`. */
  say?: (line: string) => void;
  /**
   * A restore that is only looked at: the numbers of events continue where the backup ends, and nothing waits for the
   * disk.
   */
  isScratch?: boolean;
}

/** A restored instance. */
export interface RestoredBackup {
  manifest: BackupManifest;
  /** The known texts that its encryption key opens. */
  canaries: CanaryRow[];
}

/**
 * Restores a backup into a new DATA_DIR and, for a backup made by pg_dump, into an empty database. An existing instance
 * is never overwritten. New events and webhooks get numbers that the lost instance can't have used. Throws an Error that
 * says what to do, also when this release can't start with the backup's database. The data directory is then as it was.
 */
export async function restoreBackup(backup: string, target: RestoreTarget): Promise<RestoredBackup> {
  const manifest = await readManifest(backup);
  const dataDir = path.resolve(target.dataDir);
  const present = await readFolder(dataDir);
  if (present !== null && present.length > 0) {
    throw new Error(
      `${dataDir} is not empty. Restore into a new directory, then start Trunkline with DATA_DIR set to it.`,
    );
  }
  await requireStartable(() => requireMigratable(manifest.migration));
  try {
    return { manifest, canaries: await restoreParts(backup, manifest, { ...target, dataDir }) };
  } catch (error) {
    await emptyFolder(dataDir);
    if (present === null) await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** The names in a folder; null when it is missing. */
async function readFolder(folder: string): Promise<string[] | null> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

async function emptyFolder(dataDir: string): Promise<void> {
  // As root, PostgreSQL's files may be outside of the data directory.
  removePostgresHome(dataDir);
  for (const name of (await readFolder(dataDir)) ?? [])
    await rm(path.join(dataDir, name), { recursive: true, force: true });
}

async function restoreParts(
  backup: string,
  manifest: BackupManifest,
  target: RestoreTarget,
): Promise<CanaryRow[]> {
  const hasFiles = copiedFiles(manifest) !== null;
  const restoreDatabase =
    manifest.database === "cluster"
      ? () => restoreCluster(backup, target)
      : await prepareDump(backup, target);
  // A bucket may refuse files, and the restore can then be repeated as long as the database was not restored.
  if (hasFiles && target.bucket) {
    const { stored, present } = await restoreFilesToBucket(backup, target.bucket);
    target.say?.(`stored ${stored} files in the bucket, which had ${present} already`);
  }
  const canaries = await restoreDatabase();
  if (hasFiles && !target.bucket) await restoreFilesToDisk(backup, target.dataDir);
  return canaries;
}

async function restoreCluster(
  backup: string,
  { dataDir, say = () => undefined, isScratch = false }: RestoreTarget,
): Promise<CanaryRow[]> {
  const home = openPostgresHome(dataDir, say);
  const data = path.join(home.directory, "data");
  const copied = path.join(backup, "postgres");
  if (isScratch) copyUnsynced(copied, data);
  else await copyFolder(copied, data);
  if (home.user !== undefined) giveTo(home.user, data);
  // The restored server has the passwords of the backup.
  const { adminPassword, appPassword } = JSON.parse(
    await readFile(path.join(backup, "postgres.json"), "utf8"),
  );
  const file = path.join(dataDir, "postgres.json");
  const { directory } = JSON.parse(await readFile(file, "utf8"));
  writePrivateFile(file, `${JSON.stringify({ directory, adminPassword, appPassword }, null, 2)}\n`);
  // The first start recovers to the end of the backup.
  const server = await startEmbeddedPostgres({ dataDir, ...(isScratch && SCRATCH_OPTIONS) });
  try {
    await requireStartable(() => pendingMigrations(server.url));
    return await withClient(server.url, (client) => finish(client, isScratch));
  } finally {
    await server.stop();
  }
}

// PostgreSQL starts only on a folder that no one else can open.
function copyUnsynced(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true });
}

/** Throws an Error when this release refuses to start with the database of a backup. */
async function requireStartable(readMigrations: () => unknown): Promise<void> {
  try {
    await readMigrations();
  } catch (error) {
    throw new Error(
      `This release can't start with the database of the backup, so nothing was restored: ${(error as Error).message} The release that made the backup can restore it.`,
      { cause: error },
    );
  }
}

/** Prepares a restored database for the start of its instance. Returns its known texts. */
async function finish(client: pg.Client, isScratch: boolean): Promise<CanaryRow[]> {
  if (!isScratch) await moveCountersForward(client);
  const { rows } = await client.query("select to_regclass('key_canaries') is not null as present");
  return rows[0]?.present === true ? (await client.query<CanaryRow>(SELECT_CANARIES.text)).rows : [];
}

/** Checks that a dump can be restored. Returns a function that restores it. */
async function prepareDump(
  backup: string,
  { databaseUrl, isScratch = false }: RestoreTarget,
): Promise<() => Promise<CanaryRow[]>> {
  if (databaseUrl === undefined) {
    throw new Error(
      "This backup was made by pg_dump. Set DATABASE_URL to a new, empty database to restore it.",
    );
  }
  const { major, tables } = await describeDatabase(databaseUrl);
  if (tables > 0) {
    throw new Error("The database at DATABASE_URL is not empty. Create a new database and restore into it.");
  }
  const tool = await findPostgresTool("pg_restore", major);
  const args = ["--no-owner", "--no-acl", "--exit-on-error", "--single-transaction"];
  const restore = (...more: string[]) =>
    runPostgresTool(tool, databaseUrl, [...args, ...more, path.join(backup, "database.dump")]);
  await requireStartableDump(databaseUrl, () => restore("--table=_prisma_migrations"));
  return async () => {
    await restore();
    return withClient(databaseUrl, (client) => finish(client, isScratch));
  };
}

/** Restores only the table of migrations into the empty database, and drops it again. */
async function requireStartableDump(
  databaseUrl: string,
  restoreMigrations: () => Promise<void>,
): Promise<void> {
  try {
    await restoreMigrations();
    await requireStartable(() => pendingMigrations(databaseUrl));
  } finally {
    await withClient(databaseUrl, (client) => client.query("drop table if exists _prisma_migrations"));
  }
}

async function describeDatabase(databaseUrl: string): Promise<{ major: number; tables: number }> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int / 10000 as major,
         (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as tables`,
    );
    return rows[0];
  });
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: "trunkline restore" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

// A command has nothing else to do meanwhile, and one call to the thread pool for each of two thousand files takes seconds.
function giveTo(user: SystemUser, folder: string): void {
  chownSync(folder, user.uid, user.gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(path.join(folder, name), user.uid, user.gid);
}

/** Where the encryption key of a restored instance comes from. */
export type RestoredKey =
  /** ENCRYPTION_KEY of the command, or the file of DATA_DIR. */
  | { from: "setting" | "file" }
  /** Neither opens the secrets of the backup. `wrong`: those that were tried. */
  | { from: null; wrong: ("setting" | "file")[] };

/**
 * Finds the key that opens the secrets of a restored database: the given ENCRYPTION_KEY, otherwise the key file of the
 * given DATA_DIR, which can belong to another instance. Stores it in the data directory of a restored embedded database, if it is
 * right.
 */
export function storeKey(
  { database, canaries }: Pick<BackupManifest, "database"> & Pick<RestoredBackup, "canaries">,
  { setting, ownDataDir, dataDir }: { setting: string | undefined; ownDataDir: string; dataDir: string },
): RestoredKey {
  const candidates = { setting, file: readKeyFile(ownDataDir) };
  const wrong: ("setting" | "file")[] = [];
  for (const from of ["setting", "file"] as const) {
    const key = candidates[from];
    if (key === undefined) continue;
    // Without known texts, only the operator knows whether a key is right.
    if (opensDatabase(key, canaries) ?? from === "setting") {
      if (database === "cluster") createPrivateFile(keyFile(dataDir), `${key}\n`);
      return { from };
    }
    wrong.push(from);
  }
  return { from: null, wrong };
}
