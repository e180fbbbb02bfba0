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
import pg from "pg";
import { BoundedClient, boundedOptions } from "./bounded-client.ts";
import { type Cluster, dataFolder, spawnOptions } from "./create-cluster.ts";
import { findFreePort } from "./find-free-port.ts";
import type { PostgresHome } from "./postgres-home.ts";

const run = promisify(execFile);

const POLL_MS = 20;
// After a crash, PostgreSQL first repeats up to `max_wal_size` of changes: half a minute on a slow machine (decision 0002).
const START_TIMEOUT_MS = 180_000;
const RESPONSE_TIMEOUT_MS = 2000;
const STOP_TIMEOUT_MS = 30_000;
/** How long a server may refuse the connection of a start. Less could be another server that had the port a moment ago. */
const REFUSED_MS = 2000;
/** A server that starts or stops accepts this client later. */
const ACCEPTS_LATER = new Set(["57P01", "57P02", "57P03"]);
const TOO_MANY_CONNECTIONS = "53300";
// No system assigns this process id.
const UNUSED_PID = 2_147_483_647;
const LOG_LIMIT_BYTES = 10_000_000;

// For a machine that also runs the application. fsync and synchronous_commit stay on, so an accepted send is on disk.
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  // The first change of a page after a checkpoint writes the whole page to the WAL. With 1 GB, the default, a busy
  // instance has a checkpoint each minute. More than 2 GB would make the restart after a crash too slow. Compressing the
  // pages with pglz, which is all that this PostgreSQL has, costs more than writing them (docs/benchmarks.md).
  max_wal_size: "2GB",
  random_page_cost: "1.1",
  timezone: "UTC",
  log_timezone: "UTC",
} as const;

/** A running PostgreSQL server: its main process and its port. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** A server that `ensurePostmaster` found or started. */
interface EnsuredPostmaster extends Postmaster {
  /** Whether this call started the server. */
  isNew: boolean;
}

/** Why the server at a port can't be used: it may be later, or it never will. */
type Answer = "ready" | "not yet" | "full" | { refusal: string };

/** Receives messages for the operator, one line per call. */
export type OperatorLog = (line: string) => void;

/** The superuser's URL of one database in the cluster. */
export function adminUrl(home: PostgresHome, port: number, database = "postgres"): string {
  return `postgresql://postgres:${home.adminPassword}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * Returns the cluster's running server: an existing one, even if its parent process was killed, or a new one. Waits
 * for a server that is starting, stopping or not yet reaped. A new server uses `port` if it is free. A server that
 * refuses the stored password, or can't read its own files, is an Error within seconds. A new server that can't be used
 * is stopped.
 */
export async function ensurePostmaster(
  cluster: Cluster,
  { port, log }: { port?: number; log: OperatorLog },
): Promise<EnsuredPostmaster> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const running = await awaitRunning(cluster.home, { deadline, log });
    if (running !== undefined) return { ...running, isNew: false };
    const started = await startPostmaster(cluster, port ?? (await findFreePort()), { deadline, log });
    if (started !== undefined) return { ...started, isNew: true };
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${logTail(cluster.home)}`);
    await sleep(POLL_MS * 5);
  }
}

/** Shuts the server down: connections are closed and everything is written. Resolves when it has exited. */
export async function stopPostmaster(
  { home, binaries }: Cluster,
  { pid }: Pick<Postmaster, "pid">,
  timeoutMs = STOP_TIMEOUT_MS,
): Promise<void> {
  disown({ pid });
  if (process.platform === "win32") {
    await run(binaries.pgCtl, ["stop", "-D", dataFolder(home), "-m", "fast"]);
    return;
  }
  signal(pid, "SIGINT");
  const deadline = Date.now() + timeoutMs;
  while (processState(pid, home) === "ours") {
    if (Date.now() > deadline) signal(pid, "SIGQUIT");
    await sleep(POLL_MS / 2);
  }
}

const ownServers = new Set<number>();

/**
 * Stops a server when this process exits without having stopped it, by an error or because a shutdown took too long: a
 * server without its owner would keep running. `stopPostmaster` and `disown` end this.
 */
export function own({ pid }: Pick<Postmaster, "pid">): void {
  if (ownServers.size === 0) process.once("exit", stopOwned);
  ownServers.add(pid);
}

/** Another process owns the server, or it has ended. */
export function disown({ pid }: Pick<Postmaster, "pid">): void {
  ownServers.delete(pid);
  if (ownServers.size === 0) process.removeListener("exit", stopOwned);
}

// An exiting process can only send the signal. The server then shuts down by itself.
function stopOwned(): void {
  for (const pid of ownServers) signal(pid, "SIGINT");
}

/** How long to wait for a server, and where to say what it waits for. */
interface Waiting {
  deadline: number;
  log: OperatorLog;
}

async function awaitRunning(home: PostgresHome, { deadline, log }: Waiting): Promise<Postmaster | undefined> {
  const patience = createPatience(home, log);
  for (;;) {
    const noted = readPidFile(home);
    if (noted === undefined) return undefined;
    const state = processState(noted.pid, home);
    if (state === "gone") return undefined;
    if (state === "other") {
      clearPidFile(home);
      return undefined;
    }
    if (noted.port > 0 && (await patience.isReady(noted.port))) return noted;
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${noted.pid}) does not respond:\n${logTail(home)}`);
    await sleep(POLL_MS);
  }
}

/**
 * Removes the process id from the pid file. PostgreSQL would refuse to start while the id is in use, by a zombie
 * process or an unrelated one. Without the file PostgreSQL could not detect children of a killed server that still
 * write.
 */
function clearPidFile(home: PostgresHome): void {
  const [, ...rest] = readFileSync(pidFile(home), "utf8").split("\n");
  writeFileSync(pidFile(home), [UNUSED_PID, ...rest].join("\n"));
}

/**
 * Returns undefined when the new process exited because an old one was still exiting or because its port was taken. The
 * caller tries again.
 */
async function startPostmaster(
  cluster: Cluster,
  port: number,
  waiting: Waiting,
): Promise<Postmaster | undefined> {
  const { home, binaries } = cluster;
  const settings = Object.entries({ ...SETTINGS, ...cluster.settings, port: String(port) });
  const flags = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(home);
  const logStart = fstatSync(log).size;
  // Detached, so that Ctrl-C in the terminal reaches it only through stop(), after current work is complete.
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
    if (child.pid !== undefined) disown({ pid: child.pid });
  });
  child.unref();
  if (child.pid !== undefined) own({ pid: child.pid });

  const patience = createPatience(home, waiting.log);
  try {
    while (failure === undefined && Date.now() < waiting.deadline) {
      if (child.pid !== undefined && (await patience.isReady(port))) return { pid: child.pid, port };
      await sleep(POLL_MS);
    }
  } catch (error) {
    failure ??= error instanceof Error ? error.message : String(error);
  }
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    await stopPostmaster(cluster, { pid: child.pid }, REFUSED_MS);
  if (failure !== undefined && /lock file|still in use|could not bind|is another/i.test(failure))
    return undefined;
  throw new Error(`PostgreSQL did not start:\n${failure ?? logTail(home)}`);
}

/**
 * Asks a starting server until it is ready. Rejects with the server's reason when it still refuses after REFUSED_MS. Logs once
 * when the server has no free connection for as long.
 */
function createPatience(home: PostgresHome, log: OperatorLog): { isReady(port: number): Promise<boolean> } {
  let refusedAt: number | undefined;
  let fullAt: number | undefined;
  return {
    async isReady(port) {
      const answer = await ask(home, port);
      if (answer === "full") {
        fullAt ??= Date.now();
        if (Date.now() - fullAt < REFUSED_MS) return false;
        log(
          `PostgreSQL in ${dataFolder(home)} has no free connection (max_connections). Trunkline waits until other programs close theirs.`,
        );
        fullAt = Number.POSITIVE_INFINITY;
        return false;
      }
      // A server with damaged files crashes and recovers between two refusals.
      if (typeof answer === "string") return answer === "ready";
      refusedAt ??= Date.now();
      if (Date.now() - refusedAt < REFUSED_MS) return false;
      throw new Error(
        `The database in ${dataFolder(home)} refuses the connection: ${answer.refusal}. Either postgres.json is not the file of this database, or the database's files are damaged: restore a backup.`,
      );
    },
  };
}

/** `ready` when the server at `port` accepts the stored password and uses this data directory. */
async function ask(home: PostgresHome, port: number): Promise<Answer> {
  // With a time limit, because a stopping server accepts connections and never responds.
  const client = new BoundedClient(
    boundedOptions({
      url: adminUrl(home, port),
      applicationName: "trunkline start",
      statementMs: RESPONSE_TIMEOUT_MS,
    }),
  );
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    const isOwn =
      rows[0] !== undefined && realpathSync(rows[0].data_directory) === realpathSync(dataFolder(home));
    return isOwn ? "ready" : "not yet";
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return "not yet";
    if (error.code === TOO_MANY_CONNECTIONS) return "full";
    return ACCEPTS_LATER.has(error.code ?? "") ? "not yet" : { refusal: error.message };
  } finally {
    await client.end().catch(() => undefined);
  }
}

function readPidFile(home: PostgresHome): Postmaster | undefined {
  try {
    const lines = readFileSync(pidFile(home), "utf8").split("\n");
    // Lines of postmaster.pid: 1 process id, 2 data directory, 3 start time, 4 port. The port is written a moment
    // later.
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0) };
  } catch {
    return undefined;
  }
}

type ProcessState = "ours" | "other" | "gone";

/** Classifies the process with this id. The id may belong to another process, especially after a restart. */
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
    // An unrelated process, or a dead one that is not yet reaped.
    return "other";
  }
}

function worksOn(pid: number, data: string): boolean {
  if (process.platform !== "linux") return hasArgument(pid, data);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return isExiting(pid);
    throw error;
  }
}

function hasArgument(pid: number, data: string): boolean {
  return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(data);
}

/** Whether a process without a working directory is still exiting. Linux releases the working directory before the files. */
function isExiting(pid: number): boolean {
  const [, state = ""] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return !"ZX".includes(state);
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
    // The process has already exited.
  }
}

function pidFile(home: PostgresHome): string {
  return path.join(dataFolder(home), "postmaster.pid");
}

function logFile(home: PostgresHome): string {
  return path.join(home.directory, "postgres.log");
}
