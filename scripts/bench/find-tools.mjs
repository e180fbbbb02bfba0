import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

const PGBENCH_BEFORE_SYSCALLS = "/usr/lib/postgresql/*/bin/pgbench";

/** wrk and pgbench: how to call each, or null; and what to say of a missing one. */
export function findTools() {
  // Debian's /usr/bin/pgbench is a Perl script that picks a version: the program itself is measured.
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
