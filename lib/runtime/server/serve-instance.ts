import "server-only";
import { flushCompileCache } from "node:module";
import type next from "next";
import { REPLACEABLE_FILES } from "@/lib/adapters/storage/object-store";
import { markFilesFolder, objectStore } from "@/lib/adapters/storage/registry";
import { startProcessReports } from "@/lib/operations/instance/report-process";
import { type Instance, prepareInstance } from "@/lib/operations/startup/prepare-instance";
import { requireFreePorts } from "@/lib/operations/startup/require-free-ports";
import { closeDatabase } from "@/lib/platform/database/db";
import { baseUrl, env, isAnyHost, requireValidSettings } from "@/lib/platform/env";
import { beginDrain } from "@/lib/platform/instances/drain";
import { connectToInstances } from "@/lib/platform/instances/notify";
import { followFaults } from "@/lib/platform/sandbox/find-fault";
import { followLimitResets } from "@/lib/platform/sandbox/limit-resets";
import { log } from "@/lib/platform/telemetry/log";
import { followClock } from "@/lib/platform/time/follow-clock";
import { listenForMetrics } from "@/lib/runtime/monitoring/metrics";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { observeResponses } from "@/lib/runtime/monitoring/observe-responses";
import { startTokenUse } from "@/lib/runtime/monitoring/observe-token-use";
import { requireFolders, stopReadiness } from "@/lib/runtime/monitoring/readiness";
import { type ApiRoute, createApiRouter } from "@/lib/runtime/server/api-router";
import { drainServer, listen } from "@/lib/runtime/server/http-server";
import { servePages } from "@/lib/runtime/server/pages/serve-pages";
import { relaySockets } from "@/lib/runtime/server/relay-sockets";
import { seedDemo } from "@/lib/runtime/server/start/seed-demo";
import { printStartupBanner } from "@/lib/runtime/server/start/startup-banner";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { startWorker } from "@/lib/runtime/worker/start-worker";

const DRAIN_MS = 10_000;
/** SIGHUP: the terminal was closed. Windows ends a process soon after it. */
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

interface ServeOptions {
  routes: readonly ApiRoute[];
  createNext: typeof next;
}

/**
 * Runs the whole service in this process, by ROLE: database, migrations, demo, worker, API and dashboard. Shuts down
 * cleanly on SIGTERM, SIGINT and SIGHUP, after running requests and claimed work are finished, however often the signal
 * comes. A failed start prints the reason and exits with 1.
 */
export async function serveInstance(options: ServeOptions): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const leaving = new AbortController();
  const starting = Promise.withResolvers<void>();
  const stop = stopOnce(stops, leaving, starting.promise);
  // A group is often signaled as a whole and its parent passes the signal on, so the same signal comes twice. Without a
  // listener, the second one would end this process and leave its PostgreSQL running.
  for (const signal of STOP_SIGNALS) process.on(signal, () => void stop(0));
  try {
    await start(options, stops, leaving.signal);
    starting.resolve();
  } catch (error) {
    starting.resolve();
    if (leaving.signal.aborted) return;
    process.stderr.write(
      `\nTrunkline can't start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    log.debug({ err: error }, "start failed");
    await stop(1);
  }
}

// Each step registers its cleanup. Cleanups run in reverse order. A stop waits for the current step, and the next one is
// not begun.
async function start(
  options: ServeOptions,
  stops: (() => Promise<void>)[],
  leaving: AbortSignal,
): Promise<void> {
  registerDependencies();
  requireValidSettings(process.env);
  await requireFreePorts(process.env);
  const instance = await prepareInstance(process.env);
  stops.push(async () => instance.postgres?.stop());
  stops.push(closeDatabase);
  leaving.throwIfAborted();
  requireFolders(foldersOf(instance));
  stops.push(stopReadiness);
  const { ROLE, HOST, PORT, DASHBOARD } = env();
  void reportBucket();

  stops.push(await connectToInstances());
  stops.push(await followClock());
  if (env().SIMULATOR) {
    stops.push(await followFaults());
    stops.push(await followLimitResets());
  }
  const { METRICS_PORT } = env();
  if (METRICS_PORT !== undefined) stops.push(await listenForMetrics(HOST, METRICS_PORT));
  if (env().OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { startSpanExport } = await import("@/lib/runtime/monitoring/export-spans");
    const tracing = startSpanExport();
    stops.push(() => tracing.stop());
  }
  leaving.throwIfAborted();
  const isFirstRun = await seedDemo(instance);
  leaving.throwIfAborted();
  const reports = startProcessReports();
  stops.push(() => reports.stop());

  if (ROLE !== "web") {
    const worker = await startWorker();
    stops.push(() => worker.stop());
  }
  if (ROLE === "worker") return log.info("the worker runs; it serves no requests");

  stops.push(observeResponses());
  const tokenUse = startTokenUse();
  stops.push(() => tokenUse.stop());
  if (env().REQUEST_LOG_DAYS > 0) {
    const requestLog = startRequestLog();
    stops.push(() => requestLog.stop());
  }
  const pages = await servePages(options.createNext, stops);
  leaving.throwIfAborted();
  const server = await listen({
    host: HOST,
    port: PORT,
    api: createApiRouter(options.routes),
    apiThroughNext: pages.apiHandler,
    pages: pages.handler,
    webSockets: [relaySockets(), ...pages.webSockets],
    connectionsPerAddress: env().CONNECTIONS_PER_ADDRESS,
  });
  stops.push(() => drainServer(server, DRAIN_MS));
  if (env().BASE_URL === undefined && isAnyHost(HOST))
    log.warn({ HOST }, `BASE_URL is not set: links and upload URLs point to ${baseUrl()}`);
  printStartupBanner(instance.dataDir, baseUrl(), {
    showCredentials: isFirstRun && process.stdout.isTTY,
    dashboard: DASHBOARD,
  });
  // For the next start, also if this process is killed.
  flushCompileCache();
}

/** Logs what is wrong with the bucket. The instance starts anyway, because messages without files need no bucket. */
async function reportBucket(): Promise<void> {
  const store = objectStore();
  const problem = await store.probe?.();
  if (problem != null) return log.error({ problem }, "the bucket of files does not work");
  const isSafe = await store.refusesReplacement?.().catch((error: Error) => error);
  if (isSafe === false) log.warn({}, REPLACEABLE_FILES);
  if (isSafe instanceof Error)
    log.error({ problem: isSafe.message }, "the bucket of files can't be written to");
}

/** The directories that the instance requires: its files' and its database's. */
function foldersOf({ dataDir, postgres }: Instance): string[] {
  const files = env().S3_BUCKET === undefined ? [dataDir, ...markFilesFolder(dataDir)] : [];
  return postgres === null ? files : [...files, postgres.directory];
}

function stopOnce(
  stops: (() => Promise<void>)[],
  leaving: AbortController,
  started: Promise<void>,
): (code: number) => Promise<void> {
  return async (code) => {
    if (leaving.signal.aborted) return;
    leaving.abort();
    forceExit();
    beginDrain();
    await started;
    for (const undo of stops.toReversed()) {
      await undo().catch((error: unknown) => log.error({ err: error }, "a component did not stop cleanly"));
    }
    process.exit(code);
  };
}

/** A shutdown has a time limit. Expired leases return unfinished work to the queues. */
function forceExit(): void {
  const seconds = shutdownSeconds();
  setTimeout(() => {
    log.error(
      { seconds },
      "the shutdown took longer than SHUTDOWN_SECONDS: the process exits with unfinished work",
    );
    process.exit(1);
  }, seconds * 1000).unref();
}

// After a start that failed because of its configuration, there is no valid setting to read.
function shutdownSeconds(): number {
  try {
    return env().SHUTDOWN_SECONDS;
  } catch {
    return 25;
  }
}
