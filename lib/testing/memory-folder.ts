import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const MEMORY = "/dev/shm";
/** More than the databases, the write-ahead log and the backups of a run need, which is some hundred megabytes. */
const LEAST_BYTES = 2 * 1024 ** 3;

/**
 * Creates a folder for the files of PostgreSQL and their copies: in memory, if there is enough space. A cluster has two
 * thousand files, and each is waited for until it is on disk. Programs may not be able to run in it.
 */
export function createMemoryFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(hasMemory() ? MEMORY : tmpdir(), prefix));
  // When started by root, PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  return folder;
}

function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= LEAST_BYTES;
  } catch {
    // Only Linux has it.
    return false;
  }
}
