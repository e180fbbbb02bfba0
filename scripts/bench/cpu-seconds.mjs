import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds a process has used, user and system; NaN where the system has no /proc. */
export function cpuSeconds(pid) {
  const times = readTimes(pid);
  return times === null ? Number.NaN : times.own / TICKS_PER_SECOND;
}

/** As `cpuSeconds`, with all its children, those that ended included: a PostgreSQL server. */
export function cpuSecondsWithChildren(pid) {
  for (;;) {
    const root = readTimes(pid);
    if (root === null) return Number.NaN;
    const children = processIds()
      .map(readTimes)
      .filter((times) => times?.parent === pid);
    // A child that ended meanwhile would be counted nowhere: look again.
    if (readTimes(pid)?.ended !== root.ended) continue;
    return (root.own + root.ended + children.reduce((sum, times) => sum + times.own, 0)) / TICKS_PER_SECOND;
  }
}

function processIds() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

// proc(5): after the name in brackets come state, parent, …, utime (12th), stime, cutime, cstime.
function readTimes(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), own: user + system, ended: endedUser + endedSystem };
  } catch {
    return null;
  }
}
