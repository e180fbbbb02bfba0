import { execFile, execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { BoundedClient, boundedOptions } from "./bounded-client.ts";
import { type Cluster, dataFolder, spawnOptions } from "./create-cluster.ts";
import { findFreePort } from "./find-free-port.ts";
import type { PostgresHome } from "./postgres-home.ts";

const run = promisify(execFile);

const POLL_MS = 20;
const START_TIMEOUT_MS = 60_000;
const ANSWER_MS = 2000;
const STOP_TIMEOUT_MS = 30_000;
// No system has a process with this number.
const UNUSED_PID = 2_147_483_647;
const LOG_LIMIT_BYTES = 10_000_000;

// For a machine that also runs the application. fsync and synchronous_commit stay on: an accepted send is on disk.
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  wal_compression: "on",
  random_page_cost: "1.1",
  timezone: "UTC",
  log_timezone: "UTC",
} as const;

/** A running PostgreSQL server: its first process and the port it listens on. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** The superuser's address of one database on the cluster. */
export function adminUrl(home: PostgresHome, port: number, database = "postgres"): string {
  return `postgresql://postgres:${home.adminPassword}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * The cluster's running server: the one that is there, also when its parent was killed, or a new one. Waits for one
 * that is starting, stopping or not yet reaped. Prefers `port` for a new one.
 */
export async function ensurePostmaster(cluster: Cluster, port?: number): Promise<Postmaster> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const running = await awaitRunning(cluster.home, deadline);
    if (running !== undefined) return running;
    const started = await startPostmaster(cluster, port ?? (await findFreePort()), deadline);
    if (started !== undefined) return started;
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${logTail(cluster.home)}`);
    await sleep(POLL_MS * 5);
  }
}

/** Ends the server in order: connections are closed, everything is written. Returns once it is gone. */
export async function stopPostmaster({ home, binaries }: Cluster, { pid }: Postmaster): Promise<void> {
  if (process.platform === "win32") {
    await run(binaries.pgCtl, ["stop", "-D", dataFolder(home), "-m", "fast"]);
    return;
  }
  signal(pid, "SIGINT");
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (processState(pid, home) === "ours") {
    if (Date.now() > deadline) signal(pid, "SIGQUIT");
    await sleep(POLL_MS / 2);
  }
}

async function awaitRunning(home: PostgresHome, deadline: number): Promise<Postmaster | undefined> {
  for (;;) {
    const noted = readPidFile(home);
    if (noted === undefined) return undefined;
    const state = processState(noted.pid, home);
    if (state === "gone") return undefined;
    if (state === "other") {
      disown(home);
      return undefined;
    }
    if (noted.port > 0 && (await answers(home, noted.port))) return noted;
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${noted.pid}) does not respond:\n${logTail(home)}`);
    await sleep(POLL_MS);
  }
}

/**
 * Makes the pid file name no process. PostgreSQL would refuse to start while the number in the file is in use, by a
 * zombie process or by an unrelated one; without the file it could not see that children of a killed server still
 * write.
 */
function disown(home: PostgresHome): void {
  const [, ...rest] = readFileSync(pidFile(home), "utf8").split("\n");
  writeFileSync(pidFile(home), [UNUSED_PID, ...rest].join("\n"));
}

/** Undefined when the new process gave up because of one that was not quite gone, or lost its port: worth trying again. */
async function startPostmaster(
  cluster: Cluster,
  port: number,
  deadline: number,
): Promise<Postmaster | undefined> {
  const { home, binaries } = cluster;
  const settings = Object.entries({ ...SETTINGS, ...cluster.settings, port: String(port) });
  const flags = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(home);
  const logStart = fstatSync(log).size;
  // Detached: Ctrl-C in the terminal must reach it through stop(), after the work in hand is done.
  const stdio: ["ignore", number, number] = ["ignore", log, log];
  const options = { ...spawnOptions(home), detached: true, windowsHide: true, stdio };
  const child = spawn(binaries.postgres, ["-D", dataFolder(home), ...flags], options);
  closeSync(log);
  let failure: string | undefined;
  child.on("error", (error) => {
    failure = error.message;
  });
  child.on("exit", () => {
    failure ??= logTail(home, logStart);
  });
  child.unref();

  while (failure === undefined && Date.now() < deadline) {
    if (child.pid !== undefined && (await answers(home, port))) return { pid: child.pid, port };
    await sleep(POLL_MS);
  }
  if (failure !== undefined && /lock file|still in use|could not bind|is another/i.test(failure))
    return undefined;
  throw new Error(`PostgreSQL did not start:\n${failure ?? logTail(home)}`);
}

/** True when the server at `port` takes our password and has our data directory. */
async function answers(home: PostgresHome, port: number): Promise<boolean> {
  // Bounded, and dropped when it stays silent: a server that is stopped takes connections and never answers.
  const client = new BoundedClient(
    boundedOptions({
      url: adminUrl(home, port),
      applicationName: "trunkline start",
      statementMs: ANSWER_MS,
    }),
  );
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    return rows[0] !== undefined && realpathSync(rows[0].data_directory) === realpathSync(dataFolder(home));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function readPidFile(home: PostgresHome): Postmaster | undefined {
  try {
    const lines = readFileSync(pidFile(home), "utf8").split("\n");
    // Lines of postmaster.pid: 1 process, 2 data directory, 3 start time, 4 port; the port comes a moment later.
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0) };
  } catch {
    return undefined;
  }
}

type ProcessState = "ours" | "other" | "gone";

/** What the process is to this cluster. The number may belong to another process by now, above all after a restart. */
function processState(pid: number, home: PostgresHome): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM" ? "other" : "gone";
  }
  if (process.platform === "win32") return "ours";
  try {
    return worksOn(pid, realpathSync(dataFolder(home))) ? "ours" : "other";
  } catch {
    // A stranger's process, or a dead one not yet reaped.
    return "other";
  }
}

function worksOn(pid: number, data: string): boolean {
  if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === data;
  return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(data);
}

function openLog(home: PostgresHome): number {
  const file = logFile(home);
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

function logTail(home: PostgresHome, from = 0): string {
  if (!existsSync(logFile(home))) return "";
  const lines = readFileSync(logFile(home)).subarray(from).toString().trimEnd().split("\n");
  return lines.slice(-8).join("\n");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone, which is what was wanted.
  }
}

function pidFile(home: PostgresHome): string {
  return path.join(dataFolder(home), "postmaster.pid");
}

function logFile(home: PostgresHome): string {
  return path.join(home.directory, "postgres.log");
}
