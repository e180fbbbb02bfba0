import { randomUUID } from "node:crypto";
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
const TOUCH_MS = 5000;
/** Generating Prisma's client blocks the event loop for seconds, in which the holder can't touch its lock. */
const LEFTOVER_MS = 60_000;
/** With the host, because each container has a process 1. */
const OWNER = `${hostname()}:${process.pid}`;
/** Errors of file systems without hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"];

/**
 * Runs `work` while no other process holds the lock in `file`, and resolves with its result. The holder touches the lock every
 * few seconds. A lock that no one touched for a minute is removed, and at once one of this process id: in a container, the
 * build that was killed had the same one.
 */
export async function withBuildLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  const id = `${OWNER} ${randomUUID()}`;
  let isAnnounced = false;
  while (!take(file, id)) {
    if (isLeftOver(file)) removeLeftOver(file);
    else {
      if (!isAnnounced) process.stderr.write(`Waiting for another build, which holds ${file}\n`);
      isAnnounced = true;
      await sleep(POLL_MS);
    }
  }
  held.add(id);
  const timer = setInterval(() => touch(file, id), TOUCH_MS);
  timer.unref();
  const release = () => {
    clearInterval(timer);
    held.delete(id);
    if (read(file) === id) rmSync(file, { force: true });
  };
  // `npm start` exits in the middle of a build when npm has ended.
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** The ids of the locks that this process holds. */
const held = new Set();

// A link appears with its content, so that no other process reads an empty lock.
function take(file, id) {
  const own = temporaryName(file, id);
  writeFileSync(own, id);
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    if (NO_LINKS.includes(error.code)) return takeWithoutLink(file, id);
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function takeWithoutLink(file, id) {
  try {
    const lock = openSync(file, "wx");
    writeSync(lock, id);
    closeSync(lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function temporaryName(file, id) {
  return `${file}.${id.split(" ").at(-1)}`;
}

function touch(file, id) {
  try {
    if (read(file) === id) utimesSync(file, new Date(), new Date());
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

/** The content of a lock, or `null` without one. */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function isLeftOver(file) {
  const id = read(file);
  if (id === null) return false;
  if (id.startsWith(`${OWNER} `)) return !held.has(id);
  try {
    return Date.now() - statSync(file).mtimeMs > LEFTOVER_MS;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

// Another process can have removed it and taken the lock: the rename shows which lock was removed.
function removeLeftOver(file) {
  const removed = `${file}.${randomUUID()}.removed`;
  try {
    renameSync(file, removed);
    if (!isLeftOver(removed)) putBack(removed, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  }
  rmSync(removed, { force: true });
}

function putBack(removed, file) {
  try {
    linkSync(removed, file);
  } catch (error) {
    if (!NO_LINKS.includes(error.code)) throw error;
    takeWithoutLink(file, read(removed));
  }
}
