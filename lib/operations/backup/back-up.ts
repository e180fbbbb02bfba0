import "server-only";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { diskStoreIn, objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { withBackupLock } from "@/lib/operations/backup/backup-lock";
import { type BackupManifest, manifestFile } from "@/lib/operations/backup/backup-manifest";
import {
  ATTACHMENT_PAGE,
  type AttachmentFile,
  compareFiles,
  countFiles,
  type MissingFiles,
} from "@/lib/operations/backup/compare-files";
import { copyBucket } from "@/lib/operations/backup/copy/copy-bucket";
import { copyCluster } from "@/lib/operations/backup/copy/copy-cluster";
import { copyFolder } from "@/lib/operations/backup/copy/copy-folder";
import { findEmbedded } from "@/lib/operations/backup/find-embedded";
import { findPostgresTool, runPostgresTool } from "@/lib/operations/backup/run-postgres-tool";
import { sealingKeyIds } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";

/** The names of complete backups. They are in the order of their times. */
const BACKUP_NAME = /^trunkline-\d{8}T\d{6}Z$/;
const UNFINISHED = ".unfinished";
/** A backup that ran for longer than this was killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** A finished backup. */
export interface FinishedBackup {
  folder: string;
  manifest: BackupManifest;
  /** Older backups that were removed, by name. */
  removed: string[];
}

/**
 * Backs up the database and the uploaded files into a new folder below `target`, while the instance continues to work,
 * and removes all but the newest `keep` backups (0 = keeps all). Files that the previous backup has are linked, so a
 * folder's backups share their space. A backup appears under its name when it is complete and on disk. It contains
 * customer data and passwords of the database, and not the ENCRYPTION_KEY. Throws BackupInProgress, or an Error that says
 * what to do.
 */
export function backUp(target: string, { keep }: { keep: number }): Promise<FinishedBackup> {
  return withBackupLock(() => backUpLocked(target, keep));
}

async function backUpLocked(target: string, keep: number): Promise<FinishedBackup> {
  const startedAt = new Date();
  await mkdir(target, { recursive: true, mode: 0o700 });
  await removeAbandoned(target);
  const previous = (await listBackups(target)).at(-1);
  const name = `trunkline-${startedAt.toISOString().replace(/[-:]|\.\d+/g, "")}`;
  const folder = path.join(target, name);
  if (existsSync(folder)) throw new Error(`${folder} exists. Back up again in a second.`);
  const unfinished = path.join(target, `${UNFINISHED}-${name}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const source = await readSource();
    // The first pass copies most files. The second adds those of messages that the database got meanwhile.
    const copyFiles = () => copyObjects(unfinished, previous && path.join(target, previous));
    await copyFiles();
    const database = await copyDatabase(unfinished, source.postgresMajor);
    await copyFiles();
    const files = await describeFiles(unfinished);
    const manifest: BackupManifest = {
      format: 1,
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      database,
      postgresVersion: source.postgresVersion,
      migration: source.migration,
      lastEvent: source.lastEvent,
      files,
      ...(await findMissingFiles(unfinished)),
      encryptionKeyIds: [...sealingKeyIds()],
    };
    await writeFile(manifestFile(unfinished), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await syncFolder(unfinished);
    await rename(unfinished, folder);
    await syncFolder(target);
    const removed = await removeOld(target, keep);
    await recordBackup(manifest, folder);
    return { folder, manifest, removed };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** The names of the complete backups in a folder, oldest first. */
export async function listBackups(target: string): Promise<string[]> {
  const entries = await readdir(target, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && BACKUP_NAME.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

type Source = RowOf<"read-backup-source">;

const READ_BACKUP_SOURCE = plannedStatement(
  "read-backup-source",
  `select current_setting('server_version') as "postgresVersion!",
  current_setting('server_version_num')::int / 10000 as "postgresMajor!",
  (select migration_name from _prisma_migrations order by migration_name desc limit 1) as "migration!",
  coalesce((select max(seq) from events), 0)::text as "lastEvent"`,
);

async function readSource(): Promise<Source> {
  const [row] = await sql.run(READ_BACKUP_SOURCE);
  if (row === undefined) throw new Error("the database returned no version");
  return row;
}

async function copyDatabase(folder: string, serverMajor: number): Promise<"cluster" | "dump"> {
  const embedded = await findEmbedded();
  if (embedded !== null) {
    await copyCluster(embedded, path.join(folder, "postgres"));
    const passwords = path.join(folder, "postgres.json");
    await copyFile(path.join(path.resolve(env().DATA_DIR), "postgres.json"), passwords);
    await chmod(passwords, 0o600);
    return "cluster";
  }
  const tool = await findPostgresTool("pg_dump", serverMajor);
  const file = path.join(folder, "database.dump");
  await runPostgresTool(tool, env().DATABASE_URL, [
    "--format=custom",
    "--no-owner",
    "--no-acl",
    `--file=${file}`,
  ]);
  await chmod(file, 0o600);
  await syncFile(file);
  return "dump";
}

async function copyObjects(folder: string, previous: string | undefined): Promise<void> {
  if (env().S3_BUCKET !== undefined) return copyBucket({ bucket: objectStore(), folder, previous });
  await copyFolder(path.resolve(env().DATA_DIR, "objects"), path.join(folder, "objects"), {
    // Uploads in progress.
    skip: (relative) => relative === "arriving",
    unchangedIn: previous === undefined ? folder : path.join(previous, "objects"),
  });
}

async function describeFiles(folder: string): Promise<BackupManifest["files"]> {
  const copied = await countFiles(diskStoreIn(folder));
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint } = env();
  if (bucket === undefined) return { storage: "disk", ...copied };
  return { storage: "s3", bucket, ...(endpoint !== undefined && { endpoint }), ...copied };
}

const IS_ATTACHMENT_COMPLETE = plannedStatement(
  "is-attachment-complete",
  "select from attachments where account_id = :accountId and id = :attachmentId and status = 'complete'",
);

/** Looks for attachments whose file the store has lost. Files that arrived after the copy are not missing. */
function findMissingFiles(folder: string): Promise<MissingFiles> {
  return compareFiles(diskStoreIn(folder), readAttachments, async (file) => {
    const [accountId, attachmentId] = [file.account_id, file.id];
    const stored = await objectStore().head(objectKey({ accountId, attachmentId }));
    if (stored?.sizeBytes === Number(file.size_bytes)) return false;
    // An attachment is deleted after its file.
    const rows = await sql.run(IS_ATTACHMENT_COMPLETE, { accountId, attachmentId });
    return rows.length > 0;
  });
}

const LIST_ATTACHMENTS_TO_BACK_UP = plannedStatement(
  "list-attachments-to-back-up",
  `select account_id, id, size_bytes from attachments
  where (account_id, id) > (:accountId, :afterId) and status = 'complete' order by account_id, id limit :limit`,
);

function readAttachments(after: Pick<AttachmentFile, "account_id" | "id">): Promise<AttachmentFile[]> {
  return sql.run(LIST_ATTACHMENTS_TO_BACK_UP, {
    accountId: after.account_id,
    afterId: after.id,
    limit: ATTACHMENT_PAGE,
  });
}

async function removeAbandoned(target: string): Promise<void> {
  for (const name of (await readdir(target)).filter((each) => each.startsWith(UNFINISHED))) {
    const folder = path.join(target, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function removeOld(target: string, keep: number): Promise<string[]> {
  const names = await listBackups(target);
  const old = keep === 0 ? [] : names.slice(0, -keep);
  for (const name of old) await rm(path.join(target, name), { recursive: true, force: true });
  return old;
}

const RECORD_BACKUP = plannedStatement(
  "record-backup",
  `insert into instance_backups (id, folder, database, started_at, ended_at, file_count, file_bytes)
  values (:id, :folder, :database, :startedAt, :endedAt, :fileCount, :bytes)`,
);

async function recordBackup(
  { startedAt, endedAt, database, files }: BackupManifest,
  folder: string,
): Promise<void> {
  await sql.run(RECORD_BACKUP, {
    id: newId(Date.parse(endedAt)),
    folder,
    database,
    startedAt,
    endedAt,
    fileCount: files.count,
    bytes: files.bytes,
  });
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
