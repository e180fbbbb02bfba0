import { execFileSync, spawnSync } from "node:child_process";
import os from "node:os";

/** Describes the machine that the figures were measured on. */
export function describeMachine(databases, tools) {
  const [cpu] = os.cpus();
  return {
    cpu: cpu?.model ?? "unknown",
    cores: os.availableParallelism(),
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    postgres: databases.version,
    load: tools.wrk === null ? "autocannon" : firstLine("wrk", ["-v"]),
    pgbench: tools.pgbench === null ? null : firstLine(tools.pgbench, ["--version"]),
    commit: commit(),
    loadAverage: os.loadavg().map((load) => Math.round(load * 100) / 100),
  };
}

function firstLine(command, args) {
  const { stdout } = spawnSync(command, args, { encoding: "utf8" });
  return stdout
    .split("\n")[0]
    .replace(/ Copyright.*/, "")
    .trim();
}

function commit() {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], {
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  } catch {
    return null;
  }
}
