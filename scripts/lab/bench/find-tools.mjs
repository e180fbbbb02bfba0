import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

const PGBENCH_BEFORE_SYSCALLS = "/usr/lib/postgresql/*/bin/pgbench";

/** Finds wrk and pgbench. Returns how to run each (null if missing) and notes about missing tools. */
export function findTools() {
  // Debian's /usr/bin/pgbench is a Perl script that selects a version. The benchmark runs the program itself.
  const pgbench = globSync(PGBENCH_BEFORE_SYSCALLS).toSorted().at(-1) ?? findOnPath("pgbench", ["--version"]);
  const wrk = findOnPath("wrk", ["-v"]);
  const missing = [];
  if (wrk === null)
    missing.push(
      "wrk is missing (apt-get install wrk): requests come from autocannon, which takes more CPU from the server",
    );
  if (pgbench === null)
    missing.push(
      "pgbench is missing (apt-get install postgresql-client-15 postgresql-15): its rows are left out",
    );
  return { wrk, pgbench, missing };
}

function findOnPath(command, args) {
  if (command.includes("/") && !existsSync(command)) return null;
  return spawnSync(command, args, { stdio: "ignore" }).error === undefined ? command : null;
}
