import path from "node:path";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { backUp } from "@/lib/runtime/backup/back-up";
import type { BackupManifest } from "@/lib/runtime/backup/backup-manifest";
import { copyKeyFile, restoreBackup } from "@/lib/runtime/backup/restore-backup";
import type { Commands } from "@/scripts/admin/command";
import { verifyBackup } from "@/scripts/admin/verify-backup";

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
    return `backed up to ${folder}: ${describeBackup(manifest)}${kept}`;
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
    const manifest = await restoreBackup(backup, {
      dataDir,
      databaseUrl: databaseUrl(),
      say: (line) => process.stderr.write(`${line}\n`),
    });
    const hasKey = await copyKeyFile(path.resolve(process.env.DATA_DIR ?? ".data"), dataDir);
    return [
      `restored to ${dataDir}: ${describeBackup(manifest)}`,
      `events up to ${manifest.lastEvent}, migration ${manifest.migration}`,
      hasKey
        ? `copied the encryption key of ${process.env.DATA_DIR ?? ".data"}`
        : `set ENCRYPTION_KEY to the instance's key (${manifest.encryptionKeyIds.join(", ")}) before you start it`,
      `start it with DATA_DIR=${dataDir} npm start`,
    ].join("\n");
  },
  "verify-backup": async (options) => {
    const { from } = z
      .object({ from: z.string({ error: "Name the backup: --from /backups/trunkline-…" }) })
      .parse(options);
    const { manifest, rows, missingCount, missingFiles } = await verifyBackup(
      path.resolve(from),
      databaseUrl(),
    );
    if (missingCount > 0) {
      throw new Error(
        `${missingCount} files of attachments are missing in the backup, such as ${missingFiles[0]}`,
      );
    }
    const tables = Object.entries(rows).filter(([, count]) => count > 0);
    const total = tables.reduce((sum, [, count]) => sum + count, 0);
    return [
      `restored and read: ${describeBackup(manifest)}`,
      ...tables.map(([table, count]) => `  ${table}: ${count}`),
      `${total} rows in ${tables.length} tables; every attachment has its file`,
    ].join("\n");
  },
};

function databaseUrl(): string | undefined {
  return process.env.DATABASE_URL || undefined;
}

function describeBackup({ database, postgresVersion, files }: BackupManifest): string {
  const made = database === "cluster" ? "the embedded PostgreSQL" : "a dump of PostgreSQL";
  const stored =
    files.storage === "disk"
      ? `${files.count} files (${(files.bytes / 1e6).toFixed(1)} MB)`
      : `no files (they are in the bucket ${files.bucket})`;
  return `${made} ${postgresVersion}, ${stored}`;
}
