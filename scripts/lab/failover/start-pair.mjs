import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "../../instance/find-free-port.mjs";

const UNPRIVILEGED_ID = 65534;
const READY_MS = 30_000;
const STANDBY = "standby";

/**
 * Starts a PostgreSQL server with a standby in the empty folder `directory`, from the programs in `bin`. `isSynchronous`: a
 * commit waits until the standby has it on disk. Returns the ports, `kill` for the primary, like a machine that loses its
 * power, `promote` for the standby, and `stop`.
 */
export async function startPair({ bin, directory, isSynchronous }) {
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  mkdirSync(directory, { recursive: true });
  if (process.getuid?.() === 0) chownSync(directory, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const [primary, standby] = [path.join(directory, "primary"), path.join(directory, STANDBY)];
  const [primaryPort, standbyPort] = [await findFreePort(), await findFreePort()];
  const run = (program, args) =>
    execFileSync(`${bin}/${program}`, args, { ...user, cwd: directory, stdio: "pipe" });
  // A group of its own, so that a kill ends all of its processes at the same time.
  const start = (data, port, flags = []) => {
    const common = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      ...flags,
    ];
    const args = ["-D", data, "-p", String(port), ...common.flatMap((flag) => ["-c", flag])];
    return spawn(`${bin}/postgres`, args, { ...user, cwd: directory, stdio: "ignore", detached: true });
  };

  const servers = [];
  process.once("exit", () => {
    for (const server of servers) killGroup(server);
  });

  run("initdb", ["-D", primary, "-U", "postgres", "-A", "trust", "-E", "UTF8"]);
  const names = isSynchronous ? [`synchronous_standby_names=${STANDBY}`] : [];
  servers.push(start(primary, primaryPort, names));
  // Setting up does not wait for a standby that does not exist yet.
  const local = ["set synchronous_commit = local", "create role trunkline login"];
  await query(primaryPort, [...local, "create database trunkline owner trunkline"]);
  const source = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=${STANDBY}`;
  run("pg_basebackup", ["-d", source, "-D", standby, "-R", "-X", "stream", "-c", "fast"]);
  servers.push(start(standby, standbyPort));
  const state = isSynchronous ? "sync" : "async";
  await query(primaryPort, [
    `select 1 from pg_stat_replication where sync_state = '${state}' and state = 'streaming'`,
  ]);

  return {
    primaryPort,
    standbyPort,
    kill: () => killGroup(servers[0]),
    promote: () => query(standbyPort, ["select 1 where pg_promote()"]),
    async stop() {
      for (const server of servers) {
        if (server.exitCode !== null || server.signalCode !== null) continue;
        const exited = once(server, "exit");
        server.kill("SIGINT");
        await exited;
      }
    },
  };
}

function killGroup({ pid, exitCode, signalCode }) {
  if (exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

/** Runs statements, again until the server is ready and the last one returns a row or is no query. */
async function query(port, statements) {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` });
    try {
      await client.connect();
      let last;
      for (const statement of statements) last = await client.query(statement);
      if (last.command !== "SELECT" || last.rowCount > 0) return;
      throw new Error(`${statements.at(-1)} returned nothing`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
