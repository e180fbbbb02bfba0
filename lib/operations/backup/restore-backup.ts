import "server-only";
import { chown, readdir, readFile } from "node:fs/promises";
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
import { openPostgresHome, type SystemUser } from "@/lib/platform/postgres/postgres-home";
import { createPrivateFile, writePrivateFile } from "@/lib/platform/postgres/private-file";

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
  /** A restore that is only looked at: the numbers of events continue where the backup ends. */
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
 * says what to do.
 */
export async function restoreBackup(backup: string, target: RestoreTarget): Promise<RestoredBackup> {
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
      ? () => restoreCluster(backup, dataDir, target)
      : await prepareDump(backup, target);
  // A bucket may refuse files, and the restore can then be repeated as long as the database was not restored.
  if (hasFiles && target.bucket) {
    const { stored, present } = await restoreFilesToBucket(backup, target.bucket);
    target.say?.(`stored ${stored} files in the bucket, which had ${present} already`);
  }
  const canaries = await restoreDatabase();
  if (hasFiles && !target.bucket) await restoreFilesToDisk(backup, dataDir);
  return { manifest, canaries };
}

async function restoreCluster(
  backup: string,
  dataDir: string,
  { say = () => undefined, isScratch = false }: RestoreTarget,
): Promise<CanaryRow[]> {
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
  writePrivateFile(file, `${JSON.stringify({ directory, adminPassword, appPassword }, null, 2)}\n`);
  // The first start recovers to the end of the backup.
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    return await withClient(server.url, (client) => finish(client, isScratch));
  } finally {
    await server.stop();
  }
}

/** Prepares a restored database for the start of its instance. Returns its known texts. */
async function finish(client: pg.Client, isScratch: boolean): Promise<CanaryRow[]> {
  if (!isScratch) await moveCountersForward(client);
  const { rows } = await client.query("select to_regclass('key_canaries') is not null as present");
  return rows[0]?.present === true ? (await client.query<CanaryRow>(SELECT_CANARIES)).rows : [];
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
  return async () => {
    await runPostgresTool(tool, databaseUrl, [...args, path.join(backup, "database.dump")]);
    return withClient(databaseUrl, (client) => finish(client, isScratch));
  };
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

async function giveTo(user: SystemUser, folder: string): Promise<void> {
  await chown(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(user, inner);
    else await chown(inner, user.uid, user.gid);
  }
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
