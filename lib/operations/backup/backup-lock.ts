import "server-only";
import { takeDatabaseLock } from "@/lib/platform/database/database-lock";

/** Another process, or this one, is backing up the same database. */
export class BackupInProgress extends Error {}

/** Runs a backup while no other backup of the database runs, however long it takes. Throws BackupInProgress. */
export async function withBackupLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const release = await takeDatabaseLock("backup", { wait: false });
  if (release === null)
    throw new BackupInProgress("Another backup is in progress. Wait until it has finished.");
  try {
    return await work();
  } finally {
    await release();
  }
}
