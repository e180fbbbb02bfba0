import "server-only";
import { createServer, type Server } from "node:http";
import type next from "next";
import { fileOrigins } from "@/lib/attachments/file-origins";
import { closeDatabase } from "@/lib/platform/db";
import { beginDrain } from "@/lib/platform/drain";
import { baseUrl, env } from "@/lib/platform/env";
import { followFaults } from "@/lib/platform/find-fault";
import { followClock } from "@/lib/platform/follow-clock";
import { followLimitResets } from "@/lib/platform/limit-resets";
import { log } from "@/lib/platform/log";
import { connectToInstances } from "@/lib/platform/notify";
import { startRequestLog } from "@/lib/runtime/http/observe-requests";
import { startTokenUse } from "@/lib/runtime/http/observe-token-use";
import { type ApiRoute, createApiRouter } from "@/lib/runtime/server/api-router";
import { guardPages } from "@/lib/runtime/server/guard-pages";
import { drainServer, listen, type WebSocketRoute } from "@/lib/runtime/server/http-server";
import { withPagePolicy } from "@/lib/runtime/server/page-policy";
import { type Instance, prepareInstance } from "@/lib/runtime/server/prepare-instance";
import { requireFolders, stopReadiness } from "@/lib/runtime/server/readiness";
import { relaySockets } from "@/lib/runtime/server/relay-sockets";
import { seedDemo } from "@/lib/runtime/server/seed-demo";
import { printStartupBanner } from "@/lib/runtime/server/startup-banner";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { startWorker } from "@/lib/runtime/worker/start-worker";

const DRAIN_MS = 10_000;

interface ServeOptions {
  routes: readonly ApiRoute[];
  createNext: typeof next;
}

/**
 * Runs the whole service in this process, by ROLE: database, migrations, demo, worker, API and dashboard. Shuts down
 * cleanly on SIGTERM and SIGINT, after running requests and claimed work are finished. A failed start prints the reason
 * and exits with 1.
 */
export async function serveInstance(options: ServeOptions): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const stop = stopOnce(stops);
  process.once("SIGTERM", () => void stop(0));
  process.once("SIGINT", () => void stop(0));
  try {
    await start(options, stops);
  } catch (error) {
    process.stderr.write(
      `\nTrunkline can't start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    log.debug({ err: error }, "start failed");
    await stop(1);
  }
}

// Each step registers its cleanup. Cleanups run in reverse order.
async function start(options: ServeOptions, stops: (() => Promise<void>)[]): Promise<void> {
  registerDependencies();
  const instance = await prepareInstance(process.env);
  stops.push(async () => instance.postgres?.stop());
  stops.push(closeDatabase);
  requireFolders(foldersOf(instance));
  stops.push(stopReadiness);
  const { ROLE, HOST, PORT, NODE_ENV, API_THROUGH_NEXT } = env();

  stops.push(await connectToInstances());
  stops.push(await followClock());
  if (env().SIMULATOR) {
    stops.push(await followFaults());
    stops.push(await followLimitResets());
  }
  const isFirstRun = await seedDemo(instance);

  if (ROLE !== "web") {
    const worker = await startWorker();
    stops.push(() => worker.stop());
  }
  if (ROLE === "worker") return log.info("the worker runs; it serves no requests");

  const tokenUse = startTokenUse();
  stops.push(() => tokenUse.stop());
  if (env().REQUEST_LOG_DAYS > 0) {
    const requestLog = startRequestLog();
    stops.push(() => requestLog.stop());
  }
  const development = NODE_ENV === "development";
  // Next adds its upgrade listener to the server that it receives, so it gets one that never listens.
  const upgrades = createServer();
  const app = options.createNext({
    dev: development,
    dir: process.cwd(),
    hostname: HOST,
    port: PORT,
    httpServer: upgrades,
  });
  await (development ? app.prepare() : withoutProgress(() => app.prepare()));
  stops.push(() => app.close());
  const pages = withPagePolicy(app.getRequestHandler(), { development, files: await fileOrigins() });
  const server = await listen({
    host: HOST,
    port: PORT,
    api: createApiRouter(options.routes),
    // `guardPages` limits the bodies of pages; API routes limit their own.
    apiThroughNext: (development || API_THROUGH_NEXT) && pages,
    pages: development ? pages : guardPages(pages),
    webSockets: [relaySockets(), ...(development ? [liveReload(upgrades)] : [])],
    connectionsPerAddress: env().CONNECTIONS_PER_ADDRESS,
  });
  stops.push(() => drainServer(server, DRAIN_MS));
  printStartupBanner(instance.dataDir, baseUrl(), isFirstRun && process.stdout.isTTY);
}

function liveReload(upgrades: Server): WebSocketRoute {
  return {
    matches: (path) => path.startsWith("/_next/"),
    handle: (...request) => void upgrades.emit("upgrade", ...request),
  };
}

/** The directories that the instance requires: its files' and its database's. */
function foldersOf({ dataDir, postgres }: Instance): string[] {
  const files = env().S3_BUCKET === undefined ? [dataDir] : [];
  return postgres === null ? files : [...files, postgres.directory];
}

function stopOnce(stops: (() => Promise<void>)[]): (code: number) => Promise<void> {
  let stopping = false;
  return async (code) => {
    if (stopping) return;
    stopping = true;
    forceExit();
    beginDrain();
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

/** Runs `work` without the progress that Next prints with `console.log`. Warnings and errors are still printed. */
async function withoutProgress(work: () => Promise<void>): Promise<void> {
  const { log: print } = console;
  console.log = () => undefined;
  try {
    await work();
  } finally {
    console.log = print;
  }
}
