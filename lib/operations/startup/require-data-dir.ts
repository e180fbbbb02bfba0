import "server-only";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makePassable } from "@/lib/platform/postgres/postgres-home";

/** Creates the data directory if missing. Throws an Error that names DATA_DIR when the directory is not writable. */
export function requireDataDir(dataDir: string): void {
  const file = path.join(dataDir, `.write-test-${process.pid}`);
  try {
    // Under root, PostgreSQL runs as another user, who needs to traverse this directory.
    if (process.getuid?.() === 0) makePassable(dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, "");
    rmSync(file);
  } catch (error) {
    throw new Error(`DATA_DIR: ${dataDir} is not writable (${reasonOf(error)}). ${ADVICE}`, {
      cause: error,
    });
  }
}

const ADVICE =
  "Trunkline stores its database, its encryption key and uploaded files in this directory. Set DATA_DIR to a directory that this user can write to, on a disk with free space that is not mounted read-only.";

const REASONS: Readonly<Record<string, string>> = {
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "not permitted",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a file has this name",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (code || String(error));
}
