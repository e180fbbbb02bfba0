import { readdirSync, readFileSync } from "node:fs";

/** The resident memory of a process in bytes; NaN on systems without /proc. */
export function residentBytes(pid) {
  return readKilobytes(pid, "VmRSS") * 1024;
}

/**
 * The memory of a PostgreSQL server and its connections in bytes, without the shared buffers, which each connection
 * maps; NaN on systems without /proc.
 */
export function postgresBytes(pid) {
  const children = processIds().filter((child) => parentOf(child) === pid);
  return [pid, ...children].reduce((sum, one) => sum + (readKilobytes(one, "RssAnon") || 0), 0) * 1024;
}

function processIds() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid) {
  return Number(/^PPid:\s+(\d+)/m.exec(readStatus(pid))?.[1]);
}

function readKilobytes(pid, field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readStatus(pid))?.[1]);
}

function readStatus(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
