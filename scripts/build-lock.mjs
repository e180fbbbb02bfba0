import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
/** Longer than any build: another program can have the process id of one that was killed. */
const LEFTOVER_MS = 30 * 60_000;

/**
 * Runs `work` while no other process holds the lock in `file`, and resolves with its result. A lock whose process has ended is
 * removed.
 */
export async function withBuildLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  while (!take(file)) {
    if (isLeftOver(file)) removeLeftOver(file);
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

// A link appears with its content, so that no other process reads an empty lock.
function take(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function isLeftOver(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > LEFTOVER_MS) return true;
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

// Another process can have removed it and taken the lock: the rename shows which lock was removed.
function removeLeftOver(file) {
  const removed = `${file}.${process.pid}.removed`;
  try {
    renameSync(file, removed);
    if (!isLeftOver(removed)) linkSync(removed, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  }
  rmSync(removed, { force: true });
}
