import "server-only";
import { backUp } from "@/lib/operations/backup/back-up";
import { BackupInProgress } from "@/lib/operations/backup/backup-lock";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";

const HOUR_MS = 60 * 60 * 1000;
/** The schedule runs a little later each time. Without this, a daily backup would move by an hour each day. */
const EARLY_MS = 10 * 60 * 1000;

/**
 * Backs up to BACKUP_DIR if the last backup is older than BACKUP_HOURS. Uses the wall clock, because backups protect
 * against the loss of a machine. Returns the number of backups made.
 */
export async function backUpWhenDue(_stop: AbortSignal): Promise<number> {
  const { BACKUP_DIR: target, BACKUP_HOURS: hours, BACKUP_KEEP: keep } = env();
  if (target === undefined) return 0;
  const last = await lastBackupAt();
  if (last !== null && Date.now() - last.getTime() < hours * HOUR_MS - EARLY_MS) return 0;
  try {
    const { folder, manifest, removed } = await backUp(target, { keep });
    log.info({ folder, removed: removed.length }, "backed up");
    const { missingCount: missing, missingFiles } = manifest;
    if (missing > 0)
      log.warn(
        { missing, files: missingFiles },
        "files of attachments were missing when the backup was made",
      );
    return 1;
  } catch (error) {
    // A backup may take longer than the schedule allows a job. The job is then started again beside it.
    if (!(error instanceof BackupInProgress)) throw error;
    log.info("the last backup is still running");
    return 0;
  }
}

const LAST_BACKUP_AT = plannedStatement(
  "last-backup-at",
  "select ended_at from instance_backups order by ended_at desc limit 1",
);

/** When the last backup ended, by the wall clock. null = there is none. */
export async function lastBackupAt(on: Sql = sql): Promise<Date | null> {
  const [row] = await on.run(LAST_BACKUP_AT);
  return row?.ended_at ?? null;
}
