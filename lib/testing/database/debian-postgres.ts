import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findFreePort } from "../../platform/postgres/find-free-port.ts";

const run = promisify(execFile);
const PACKAGES = "/usr/lib/postgresql";
const UNPRIVILEGED_ID = 65534;
const START_TIMEOUT_MS = 30_000;

interface DebianPostgres {
  /** The connection URL of the superuser. */
  adminUrl: string;
  /** The connection URL of a user who can only log in and own objects granted to it. */
  url: string;
  stop(): Promise<void>;
}

/** The folder of the newest PostgreSQL that is installed from Debian's packages, or undefined. */
export function findDebianPostgres(): string | undefined {
  if (!existsSync(PACKAGES)) return undefined;
  const newest = readdirSync(PACKAGES).sort((left, right) => Number(right) - Number(left));
  return newest
    .map((version) => path.join(PACKAGES, version, "bin"))
    .find((bin) => existsSync(`${bin}/initdb`));
}

/**
 * Starts a temporary server with Debian's PostgreSQL in the empty folder `directory`, as an operator would provide it.
 */
export async function startDebianPostgres(bin: string, directory: string): Promise<DebianPostgres> {
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  if (process.getuid?.() === 0) chownSync(directory, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const data = path.join(directory, "data");
  const options = { ...user, cwd: directory };
  await run(
    `${bin}/initdb`,
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );

  const port = await findFreePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_connections=200",
  ];
  const flags = settings.flatMap((setting) => ["-c", setting]);
  const args = ["-D", data, "-p", String(port), ...flags];
  const server = spawn(`${bin}/postgres`, args, { ...options, stdio: "ignore" });
  const adminUrl = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await createRole(server, adminUrl);

  return {
    adminUrl,
    url: `postgresql://trunkline@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill("SIGINT");
      while (server.exitCode === null && server.signalCode === null) await sleep(20);
    },
  };
}

/** The server's major version, such as 15, from the path of its programs. */
export function debianVersion(bin: string): string {
  return path.basename(path.dirname(bin));
}

async function createRole(server: ChildProcess, adminUrl: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl });
    try {
      await client.connect();
      await client.query("create role trunkline login");
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
