import "server-only";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { copyFolder } from "@/lib/operations/backup/copy/copy-folder";

/** Holds back the removal of the write-ahead log during the copy. PostgreSQL drops it with the connection. */
const SLOT = "trunkline_backup";
/** Contents of the data directory that a copy must not have or does not need (PostgreSQL, "Making a base backup"). */
const SKIPPED_FOLDERS = new Set([
  ...[
    "pg_wal",
    "pg_replslot",
    "pg_dynshmem",
    "pg_notify",
    "pg_serial",
    "pg_snapshots",
    "pg_stat_tmp",
    "pg_subtrans",
  ],
]);
const SKIPPED_FILES = new Set(["postmaster.pid", "postmaster.opts", "pg_internal.init"]);

/**
 * Copies the data directory of a running server and the write-ahead log that makes the copy consistent. The server
 * continues to accept writes. A server that starts on the copy recovers to the end of the backup. Throws a
 * PostgreSQL error, or an Error when another backup is in progress or the server has tablespaces, which lie outside of
 * the directory.
 */
export async function copyCluster(from: { adminUrl: string; directory: string }, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: from.adminUrl, application_name: "trunkline backup" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await requireNoTablespaces(client);
    await reserveLog(client);
    const { rows: started } = await client.query<{ first: string }>(
      "select pg_walfile_name(pg_backup_start('trunkline', fast => true)) as first",
    );
    await copyFolder(from.directory, to, { skip: isSkipped });
    const { rows: stopped } = await client.query<{ last: string; label: string }>(
      `select ${lastSegmentSql("lsn")} as last, labelfile as label
       from pg_backup_stop(wait_for_archive => false)`,
    );
    const [first, last] = [started[0]?.first ?? "", stopped[0]?.last ?? ""];
    await writeFile(path.join(to, "backup_label"), stopped[0]?.label ?? "", { mode: 0o600, flush: true });
    await copyLog(path.join(from.directory, "pg_wal"), path.join(to, "pg_wal"), first, last);
  } finally {
    await client.end();
  }
}

/**
 * SQL: the segment with the last byte before the position `lsn`. The end of a backup may be the first byte of the next
 * segment, which does not exist yet and is not part of the backup.
 */
export function lastSegmentSql(lsn: string): string {
  return `pg_walfile_name(${lsn} - 1::numeric)`;
}

async function requireNoTablespaces(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select from pg_tablespace where spcname not in ('pg_default', 'pg_global')",
  );
  if (rows.length > 0) {
    throw new Error(
      "The embedded PostgreSQL has tablespaces of its own, which a backup would not contain. Drop them.",
    );
  }
}

async function reserveLog(client: pg.Client): Promise<void> {
  try {
    await client.query("select pg_create_physical_replication_slot($1, true, true)", [SLOT]);
  } catch (error) {
    if ((error as { code?: string }).code !== "42710") throw error;
    throw new Error("Another backup is in progress. Wait until it has finished.", { cause: error });
  }
}

function isSkipped(relative: string): boolean {
  const name = path.basename(relative);
  return SKIPPED_FOLDERS.has(relative) || SKIPPED_FILES.has(name) || name.startsWith("pgsql_tmp");
}

// Segments have names of the same length that grow, so the range of the backup is a range of names.
async function copyLog(from: string, to: string, first: string, last: string): Promise<void> {
  const isNeeded = (name: string) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last;
  await copyFolder(from, to, { skip: (relative) => !isNeeded(relative) });
  const names = await readdir(to);
  if (!names.includes(first) || !names.includes(last)) {
    throw new Error(`the write-ahead log of the backup is incomplete: ${first} to ${last}`);
  }
  await mkdir(path.join(to, "archive_status"), { recursive: true, mode: 0o700 });
}
