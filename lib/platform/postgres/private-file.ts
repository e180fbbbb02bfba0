import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/**
 * Writes a file that only its owner can read, and creates its directory if missing. The file appears complete and on
 * disk, or not at all: a kill or a full disk never leaves half of it.
 */
export function writePrivateFile(file: string, text: string): void {
  const unfinished = writeUnfinished(file, text);
  try {
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** Like `writePrivateFile`, but never replaces a file. Returns whether the file was created. */
export function createPrivateFile(file: string, text: string): boolean {
  const unfinished = writeUnfinished(file, text);
  try {
    // Unlike a rename, a link never replaces the file of a process that was faster.
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(unfinished);
  }
  syncFolder(path.dirname(file));
  return true;
}

function writeUnfinished(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.unfinished`;
  const handle = openSync(unfinished, "w", 0o600);
  try {
    // A file that a killed process left behind keeps its own mode.
    fchmodSync(handle, 0o600);
    writeSync(handle, text);
    fsyncSync(handle);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return unfinished;
}

// The name is part of the folder. Windows can't open a folder.
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
