import "server-only";
import { access, constants } from "node:fs/promises";
import pg from "pg";
import { objectStore } from "@/lib/adapters/storage/registry";
import { env } from "@/lib/platform/env";
import { isDraining } from "@/lib/platform/instances/drain";
import { BoundedClient, boundedOptions } from "@/lib/platform/postgres/bounded-client";
import { pendingMigrations } from "@/lib/platform/postgres/migrate";
import { log } from "@/lib/platform/telemetry/log";
import { isWorkerRunning } from "@/lib/runtime/worker/start-worker";

/** The response arrives within this time, even if the database does not respond. */
const RESPONSE_TIMEOUT_MS = 1500;
const STATEMENT_MS = 1000;
const MIGRATIONS_STAY_MS = 30_000;
const BUCKET_STAYS_MS = 10_000;

// A row lock is a write: it needs a transaction that is not read-only, and it is flushed to disk. The sort exceeds this
// session's memory, so PostgreSQL has to write a temporary file, which fails when the disk is full.
const CAN_WRITE = `
  select 1 from _prisma_migrations limit 1 for update;
  with rows as materialized (select repeat('x', 2000) as filler from generate_series(1, 200))
  select count(filler) from rows`;

const shared = globalThis as typeof globalThis & {
  trunklineFolders?: Set<string>;
  trunklineReadinessPool?: pg.Pool | undefined;
};

/** Adds directories that this process requires. Returns a function that removes them again. */
export function requireFolders(folders: readonly string[]): () => void {
  shared.trunklineFolders ??= new Set();
  const required = shared.trunklineFolders;
  for (const folder of folders) required.add(folder);
  return () => {
    for (const folder of folders) required.delete(folder);
  };
}

let probing: Promise<string> | undefined;
let migrationsSeenAt = Number.NEGATIVE_INFINITY;

/** Checks all dependencies of this process. Returns `ok` or the error for each, within 1.5 seconds. */
export async function readiness(): Promise<Record<string, string>> {
  const [database, migrations, files] = await Promise.all([
    check(probeOnce),
    check(checkMigrations),
    check(checkFiles),
  ]);
  const worker = env().ROLE === "web" || isWorkerRunning() ? "ok" : "stopped";
  return { database, migrations, files, worker, server: isDraining() ? "draining" : "ok" };
}

/** Closes the connection of the checks. */
export async function stopReadiness(): Promise<void> {
  const open = shared.trunklineReadinessPool;
  shared.trunklineReadinessPool = undefined;
  bucketState = undefined;
  await open?.end();
}

// Requests that arrive during a check share its result, so frequent requests use at most one connection.
function probeOnce(): Promise<string> {
  probing ??= probe().finally(() => {
    probing = undefined;
  });
  return probing;
}

async function probe(): Promise<string> {
  shared.trunklineReadinessPool ??= createPool();
  await shared.trunklineReadinessPool.query(CAN_WRITE);
  return "ok";
}

function createPool(): pg.Pool {
  const options = boundedOptions({
    url: env().DATABASE_URL,
    applicationName: "trunkline-ready",
    statementMs: STATEMENT_MS,
    settings: { work_mem: "64kB" },
  });
  const created = new pg.Pool({ ...options, max: 1, Client: BoundedClient });
  created.on("error", (error) => log.debug({ error: error.message }, "the connection of /ready was lost"));
  return created;
}

async function checkMigrations(): Promise<string> {
  if (performance.now() - migrationsSeenAt < MIGRATIONS_STAY_MS) return "ok";
  const pending = await pendingMigrations(env().DATABASE_URL);
  if (pending.length > 0) return `${pending.length} pending`;
  migrationsSeenAt = performance.now();
  return "ok";
}

async function checkFiles(): Promise<string> {
  for (const folder of shared.trunklineFolders ?? []) await access(folder, constants.W_OK);
  return checkBucket();
}

let bucketState: { at: number; asked: Promise<string> } | undefined;

// Requests are counted and billed by the bucket's provider, so a result stays for a while.
async function checkBucket(): Promise<string> {
  const store = objectStore();
  if (store.probe === undefined) return "ok";
  const age = performance.now() - (bucketState?.at ?? Number.NEGATIVE_INFINITY);
  if (bucketState === undefined || age > BUCKET_STAYS_MS)
    bucketState = { at: performance.now(), asked: store.probe().then((problem) => problem ?? "ok") };
  return bucketState.asked;
}

function check(look: () => Promise<string>): Promise<string> {
  const late = new Promise<string>((resolve) =>
    setTimeout(resolve, RESPONSE_TIMEOUT_MS, "timed out").unref(),
  );
  return Promise.race([look().catch((error: Error) => error.message || String(error)), late]);
}
