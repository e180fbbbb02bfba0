import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** The user and system CPU seconds of a process; NaN on systems without /proc. */
export function cpuSeconds(pid) {
  const times = readTimes(pid);
  return times === null ? Number.NaN : times.own / TICKS_PER_SECOND;
}

/** Like `cpuSeconds`, including all child processes and those that have exited. Used for a PostgreSQL server. */
function cpuSecondsWithChildren(pid) {
  for (;;) {
    const root = readTimes(pid);
    if (root === null) return Number.NaN;
    const children = processIds()
      .map(readTimes)
      .filter((times) => times?.parent === pid);
    // A child that exited during the loop would not be counted, so read again.
    if (readTimes(pid)?.ended !== root.ended) continue;
    return (root.own + root.ended + children.reduce((sum, times) => sum + times.own, 0)) / TICKS_PER_SECOND;
  }
}

/** The CPU seconds of a server, of a PostgreSQL server with its connections, and of all other programs, by their pids. */
export function usedCpu({ node, postgres }) {
  return {
    node: node === undefined ? Number.NaN : cpuSeconds(node),
    postgres: postgres === undefined ? Number.NaN : cpuSecondsWithChildren(postgres),
    others: otherProgramsCpuSeconds(),
  };
}

/** The CPU seconds of all other programs on the machine: all except this process and its children. */
export function otherProgramsCpuSeconds() {
  const all = readMachineTicks();
  if (Number.isNaN(all)) return Number.NaN;
  const timesByPid = new Map(processIds().map((pid) => [pid, readTimes(pid)]));
  let ours = 0;
  for (const [pid, times] of timesByPid) if (isOwnProcess(pid, timesByPid)) ours += times.own + times.ended;
  return (all - ours) / TICKS_PER_SECOND;
}

function isOwnProcess(pid, timesByPid) {
  const times = timesByPid.get(pid) ?? null;
  if (times === null) return false;
  return pid === process.pid || isOwnProcess(times.parent, timesByPid);
}

// proc(5): the first line sums all cores: user, nice, system, idle, iowait, irq, softirq, steal.
function readMachineTicks() {
  try {
    const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/).map(Number);
    return ticks.slice(0, 8).reduce((sum, value, index) => sum + (index === 3 || index === 4 ? 0 : value), 0);
  } catch {
    return Number.NaN;
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
