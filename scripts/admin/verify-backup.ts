import "server-only";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { diskStoreIn } from "@/lib/adapters/storage/registry";
import { type BackupManifest, copiedFiles, readManifest } from "@/lib/operations/backup/backup-manifest";
import {
  ATTACHMENT_PAGE,
  type AttachmentFile,
  compareFiles,
  countFiles,
  type MissingFiles,
} from "@/lib/operations/backup/compare-files";
import { restoreBackup, SCRATCH_OPTIONS } from "@/lib/operations/backup/restore-backup";
import { startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { makePassable, removePostgresHome } from "@/lib/platform/postgres/postgres-home";

const SCRATCH_DATABASE = "trunkline_verify";

/** The result of a test restore. */
export interface VerifiedBackup extends MissingFiles {
  manifest: BackupManifest;
  /** The rows of each table, by name. Reading them checks the checksum of every page. */
  rows: Record<string, number>;
  /** The files in the backup. 0 in older backups of a bucket, which have none. */
  fileCount: number;
}

/**
 * Restores a backup into a scratch directory beside it (and into a scratch database on the server of `databaseUrl`, for
 * a backup made by pg_dump), counts every row, looks for the file of every attachment in its size, and removes the scratch data.
 * Throws an Error when the backup can't be restored or lacks events that it must contain.
 */
export async function verifyBackup(backup: string, databaseUrl: string | undefined): Promise<VerifiedBackup> {
  const manifest = await readManifest(backup);
  const scratch = await mkdtemp(path.join(path.dirname(path.resolve(backup)), ".verify-"));
  try {
    const inDatabase = manifest.database === "cluster" ? inScratchCluster : inScratchDatabase;
    return await inDatabase({ backup, dataDir: path.join(scratch, "data"), databaseUrl }, async (client) => {
      const rows = await countRows(client);
      await requireEvents(client, manifest);
      return { manifest, rows, ...(await verifyFiles(client, backup, manifest)) };
    });
  } finally {
    // As root, PostgreSQL's files may be outside of the scratch directory.
    removePostgresHome(path.join(scratch, "data"));
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Scratch {
  backup: string;
  dataDir: string;
  databaseUrl: string | undefined;
}

type Look<Result> = (client: pg.Client) => Promise<Result>;

async function inScratchCluster<Result>({ backup, dataDir }: Scratch, look: Look<Result>): Promise<Result> {
  if (process.getuid?.() === 0) makePassable(dataDir);
  await restoreBackup(backup, { dataDir, databaseUrl: undefined, isScratch: true });
  const server = await startEmbeddedPostgres({ dataDir, ...SCRATCH_OPTIONS });
  try {
    return await withClient(server.url, look);
  } finally {
    await server.stop();
  }
}

async function inScratchDatabase<Result>(
  { backup, dataDir, databaseUrl }: Scratch,
  look: Look<Result>,
): Promise<Result> {
  if (databaseUrl === undefined) {
    throw new Error(
      "This backup was made by pg_dump. Set DATABASE_URL to a server on which its user can create a scratch database (CREATEDB).",
    );
  }
  const name = `${SCRATCH_DATABASE}_${process.pid}`;
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await withClient(databaseUrl, (client) => client.query(`create database ${name}`)).catch((error: Error) => {
    throw new Error(
      `The scratch database could not be created (${error.message}). Grant CREATEDB to the user of DATABASE_URL.`,
    );
  });
  try {
    await restoreBackup(backup, { dataDir, databaseUrl: url.toString(), isScratch: true });
    return await withClient(url.toString(), look);
  } finally {
    await withClient(databaseUrl, (client) => client.query(`drop database ${name} with (force)`));
  }
}

async function withClient<Result>(url: string, look: Look<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: "trunkline verify" });
  await client.connect();
  try {
    return await look(client);
  } finally {
    await client.end();
  }
}

async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string; quoted: string }>(
    `select relname as name, oid::regclass::text as quoted from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  );
  const counts: Record<string, number> = {};
  for (const { name, quoted } of tables) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::float8 as count from ${quoted}`);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

async function requireEvents(client: pg.Client, { lastEvent }: BackupManifest): Promise<void> {
  const { rows } = await client.query<{ last: string }>(
    "select coalesce(max(seq), 0)::text as last from events",
  );
  const last = rows[0]?.last ?? "0";
  if (BigInt(last) < BigInt(lastEvent)) {
    throw new Error(`the backup ends with event ${last}, but event ${lastEvent} existed when it began`);
  }
}

// The files of older backups of a bucket are not part of the backup.
async function verifyFiles(
  client: pg.Client,
  backup: string,
  manifest: BackupManifest,
): Promise<MissingFiles & { fileCount: number }> {
  const copied = copiedFiles(manifest);
  if (copied === null) return { fileCount: 0, missingCount: 0, missingFiles: [] };
  const store = diskStoreIn(backup);
  const { count: fileCount } = await countFiles(store);
  const missing = await compareFiles(store, async (after) => {
    const { rows } = await client.query<AttachmentFile>(
      `select account_id, id, size_bytes from attachments
       where (account_id, id) > ($1, $2) and status = 'complete' order by account_id, id limit $3`,
      [after.account_id, after.id, ATTACHMENT_PAGE],
    );
    return rows;
  });
  return { fileCount, ...missing };
}
