import path from "node:path";
import { z } from "zod";
import { configuredBucket } from "@/lib/adapters/storage/registry";
import { backUp } from "@/lib/operations/backup/back-up";
import { type BackupManifest, copiedFiles } from "@/lib/operations/backup/backup-manifest";
import { type RestoredKey, restoreBackup, storeKey } from "@/lib/operations/backup/restore-backup";
import { requireKeys } from "@/lib/platform/crypto/crypto";
import { env } from "@/lib/platform/env";
import type { Commands } from "@/scripts/admin/command";
import { type VerifiedBackup, verifyBackup } from "@/scripts/admin/verify-backup";

const Keep = z.coerce.number().int().min(0).max(10_000);

/** Commands that use the instance's database. */
export const BACKUP_COMMANDS: Commands = {
  backup: async (options) => {
    const { BACKUP_DIR, BACKUP_KEEP } = env();
    const { to = BACKUP_DIR, keep } = z
      .object({ to: z.string().optional(), keep: Keep.default(BACKUP_KEEP) })
      .parse(options);
    if (to === undefined) throw new Error("Name a folder for backups: --to /backups, or set BACKUP_DIR.");
    const { folder, manifest, removed } = await backUp(path.resolve(to), { keep });
    const kept = removed.length === 0 ? "" : `\nremoved ${removed.length} older: ${removed.join(", ")}`;
    return `backed up to ${folder}: ${describeBackup(manifest)}${describeMissing(manifest)}${kept}`;
  },
};

/** Commands that must not open the instance's database. */
export const RESTORE_COMMANDS: Commands = {
  restore: async (options) => {
    const { from, to } = z
      .object({
        from: z.string({ error: "Name the backup: --from /backups/trunkline-…" }),
        to: z.string({ error: "Name the new data directory: --to /srv/trunkline" }),
      })
      .parse(options);
    const [backup, dataDir] = [path.resolve(from), path.resolve(to)];
    const setting = process.env.ENCRYPTION_KEY || undefined;
    if (setting !== undefined) requireKeys(setting);
    const restored = await restoreBackup(backup, {
      dataDir,
      databaseUrl: databaseUrl(),
      bucket: configuredBucket(),
      say: (line) => process.stderr.write(`${line}\n`),
    });
    const { manifest } = restored;
    const ownDataDir = path.resolve(process.env.DATA_DIR || ".data");
    const key = storeKey({ ...manifest, ...restored }, { setting, ownDataDir, dataDir });
    if (key.from === null && key.wrong.includes("setting")) process.exitCode = 1;
    return [
      `restored to ${dataDir}: ${describeBackup(manifest)}`,
      `events up to ${manifest.lastEvent}, migration ${manifest.migration}`,
      "new events and webhooks get numbers beyond those that the lost instance used after the backup",
      describeKey(key, manifest, ownDataDir),
      `start it with DATA_DIR=${dataDir} npm start`,
    ].join("\n");
  },
  "verify-backup": async (options) => {
    const { from } = z
      .object({ from: z.string({ error: "Name the backup: --from /backups/trunkline-…" }) })
      .parse(options);
    const verified = await verifyBackup(path.resolve(from), databaseUrl());
    const { manifest, rows } = verified;
    requireFiles(verified);
    const tables = Object.entries(rows).filter(([, count]) => count > 0);
    const total = tables.reduce((sum, [, count]) => sum + count, 0);
    return [
      `restored and read: ${describeBackup(manifest)}`,
      ...tables.map(([table, count]) => `  ${table}: ${count}`),
      `${total} rows in ${tables.length} tables; ${describeVerifiedFiles(verified)}`,
    ].join("\n");
  },
};

function describeKey(key: RestoredKey, manifest: BackupManifest, ownDataDir: string): string {
  const isStored = manifest.database === "cluster";
  const names = { setting: "ENCRYPTION_KEY", file: `the key of ${ownDataDir}` };
  if (key.from !== null) {
    const stored = isStored
      ? "is stored in the new data directory"
      : "must be set as ENCRYPTION_KEY when you start it";
    return `${names[key.from]} opens the secrets of the backup and ${stored}`;
  }
  const wrong = key.wrong.map((from) => `${names[from]} does not open the secrets of the backup; `).join("");
  return `${wrong}set ENCRYPTION_KEY to the instance's key (${manifest.encryptionKeyIds.join(", ")}) before you start it`;
}

function databaseUrl(): string | undefined {
  return process.env.DATABASE_URL || undefined;
}

function describeBackup(manifest: BackupManifest): string {
  const { database, postgresVersion, files } = manifest;
  const made = database === "cluster" ? "the embedded PostgreSQL" : "a dump of PostgreSQL";
  const copied = copiedFiles(manifest);
  const bucket = files.storage === "s3" ? files.bucket : null;
  const stored =
    copied === null
      ? `no files (they are in the bucket ${bucket})`
      : `${copied.count} files${bucket === null ? "" : ` of the bucket ${bucket}`} (${(copied.bytes / 1e6).toFixed(1)} MB)`;
  return `${made} ${postgresVersion}, ${stored}`;
}

function describeMissing({ missingCount, missingFiles }: BackupManifest): string {
  if (missingCount === 0) return "";
  return `\n${missingCount} files of attachments are missing or have another size in the instance's storage, and so in the backup:\n  ${missingFiles.join("\n  ")}`;
}

function requireFiles({ manifest, fileCount, missingCount, missingFiles }: VerifiedBackup): void {
  if (missingCount > 0) {
    const before = manifest.missingCount > 0 ? ` (${manifest.missingCount} when it was made)` : "";
    throw new Error(
      `${missingCount} files of attachments are missing in the backup or have another size${before}:\n  ${missingFiles.join("\n  ")}`,
    );
  }
  const copied = copiedFiles(manifest);
  if (copied !== null && fileCount < copied.count)
    throw new Error(`The backup contains ${fileCount} files, but ${copied.count} when it was made.`);
}

function describeVerifiedFiles({ manifest, fileCount }: VerifiedBackup): string {
  return copiedFiles(manifest) === null
    ? "files were not checked, because they are not part of this backup"
    : `${fileCount} files; every attachment has its file`;
}
