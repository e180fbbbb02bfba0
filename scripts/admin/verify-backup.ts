import "server-only";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { diskStoreIn } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres";
import { makePassable, removePostgresHome } from "@/lib/platform/postgres-home";
import { type BackupManifest, readManifest } from "@/lib/runtime/backup/backup-manifest";
import { restoreBackup } from "@/lib/runtime/backup/restore-backup";

const SCRATCH_DATABASE = "trunkline_verify";
const PAGE_ROWS = 1000;
const MISSING_NAMED = 20;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** The result of a test restore. */
export interface VerifiedBackup {
  manifest: BackupManifest;
  /** The rows of each table, by name. Reading them checks the checksum of every page. */
  rows: Record<string, number>;
  /** How many complete attachments have no file in the backup. Always 0 with a bucket. */
  missingCount: number;
  /** The keys of the first of them. */
  missingFiles: string[];
}

/**
 * Restores a backup into a scratch directory beside it (and into a scratch database on the server of `databaseUrl`, for
 * a backup made by pg_dump), counts every row, looks for the file of every attachment, and removes the scratch data.
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
      return { manifest, rows, ...(await findMissingFiles(client, backup, manifest)) };
    });
  } finally {
    // As root, PostgreSQL's files may be outside of the scratch directory.
    removePostgresHome(path.join(scratch, "data"));
    await rm(scratch, { recursive: true, force: true });
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
  await restoreBackup(backup, { dataDir, databaseUrl: undefined });
  const server = await startEmbeddedPostgres({ dataDir });
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
      "This backup was made by pg_dump. Set DATABASE_URL to a server on which a scratch database can be created.",
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
    await restoreBackup(backup, { dataDir, databaseUrl: url.toString() });
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

type MissingFiles = Pick<VerifiedBackup, "missingCount" | "missingFiles">;

// An instance may have millions of attachments, so their ids are read in pages.
async function findMissingFiles(
  client: pg.Client,
  backup: string,
  { files }: BackupManifest,
): Promise<MissingFiles> {
  const missing: MissingFiles = { missingCount: 0, missingFiles: [] };
  if (files.storage !== "disk") return missing;
  const store = diskStoreIn(backup);
  for await (const { account_id: accountId, id: attachmentId } of readAttachments(client)) {
    const key = objectKey({ accountId, attachmentId });
    if ((await store.head(key)) !== null) continue;
    missing.missingCount++;
    if (missing.missingFiles.length < MISSING_NAMED) missing.missingFiles.push(key);
  }
  return missing;
}

interface AttachmentKey {
  account_id: string;
  id: string;
}

async function* readAttachments(client: pg.Client): AsyncGenerator<AttachmentKey> {
  let after: AttachmentKey = { account_id: NO_ID, id: NO_ID };
  for (;;) {
    const { rows } = await client.query<AttachmentKey>(
      `select account_id, id from attachments
       where (account_id, id) > ($1, $2) and status = 'complete' order by account_id, id limit ${PAGE_ROWS}`,
      [after.account_id, after.id],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last;
  }
}
