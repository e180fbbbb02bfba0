import "server-only";
import { existsSync } from "node:fs";
import { chown, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres";
import { openPostgresHome, type SystemUser } from "@/lib/platform/postgres-home";
import { type BackupManifest, copiedFiles, readManifest } from "@/lib/runtime/backup/backup-manifest";
import { copyFolder } from "@/lib/runtime/backup/copy-folder";
import { restoreFilesToBucket, restoreFilesToDisk } from "@/lib/runtime/backup/restore-files";
import { findPostgresTool, runPostgresTool } from "@/lib/runtime/backup/run-postgres-tool";

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
}

/**
 * Restores a backup into a new DATA_DIR and, for a backup made by pg_dump, into an empty database. An existing instance
 * is never overwritten. Returns the backup's manifest. Throws an Error that says what to do.
 */
export async function restoreBackup(backup: string, target: RestoreTarget): Promise<BackupManifest> {
  const manifest = await readManifest(backup);
  const dataDir = path.resolve(target.dataDir);
  const present = await readdir(dataDir).catch(() => []);
  if (present.length > 0) {
    throw new Error(
      `${dataDir} is not empty. Restore into a new directory, then start Trunkline with DATA_DIR set to it.`,
    );
  }
  const hasFiles = copiedFiles(manifest) !== null;
  const restoreDatabase =
    manifest.database === "cluster"
      ? () => restoreCluster(backup, dataDir, target.say)
      : await prepareDump(backup, target.databaseUrl);
  // A bucket may refuse files, and the restore can then be repeated as long as the database was not restored.
  if (hasFiles && target.bucket) {
    const { stored, present } = await restoreFilesToBucket(backup, target.bucket);
    target.say?.(`stored ${stored} files in the bucket, which had ${present} already`);
  }
  await restoreDatabase();
  if (hasFiles && !target.bucket) await restoreFilesToDisk(backup, dataDir);
  return manifest;
}

async function restoreCluster(
  backup: string,
  dataDir: string,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  const home = openPostgresHome(dataDir, say);
  const data = path.join(home.directory, "data");
  await copyFolder(path.join(backup, "postgres"), data);
  if (home.user !== undefined) await giveTo(home.user, data);
  // The restored server has the passwords of the backup.
  const { adminPassword, appPassword } = JSON.parse(
    await readFile(path.join(backup, "postgres.json"), "utf8"),
  );
  const file = path.join(dataDir, "postgres.json");
  const { directory } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, `${JSON.stringify({ directory, adminPassword, appPassword }, null, 2)}\n`, {
    mode: 0o600,
  });
  // The first start recovers to the end of the backup.
  const server = await startEmbeddedPostgres({ dataDir });
  await server.stop();
}

/** Checks that a dump can be restored. Returns a function that restores it. */
async function prepareDump(backup: string, databaseUrl: string | undefined): Promise<() => Promise<void>> {
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
  return () => runPostgresTool(tool, databaseUrl, [...args, path.join(backup, "database.dump")]);
}

async function describeDatabase(databaseUrl: string): Promise<{ major: number; tables: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int / 10000 as major,
         (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as tables`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

async function giveTo(user: SystemUser, folder: string): Promise<void> {
  await chown(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(user, inner);
    else await chown(inner, user.uid, user.gid);
  }
}

/** Copies the encryption key of a DATA_DIR, if it has one in a file, so that the restored instance can open its secrets. */
export async function copyKeyFile(fromDataDir: string, toDataDir: string): Promise<boolean> {
  const [from, to] = [path.join(fromDataDir, "encryption-key"), path.join(toDataDir, "encryption-key")];
  if (!existsSync(from) || existsSync(to)) return false;
  await mkdir(toDataDir, { recursive: true });
  await copyFile(from, to);
  return true;
}
