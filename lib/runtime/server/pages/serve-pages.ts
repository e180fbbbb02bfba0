import "server-only";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type next from "next";
import { fileOrigins } from "@/lib/attachments/files/file-origins";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";
import { answerError } from "@/lib/runtime/server/answer-error";
import type { WebSocketRoute } from "@/lib/runtime/server/http-server";
import { buildPages, type PagesBuilder } from "@/lib/runtime/server/pages/build-pages";
import { buildingPage, type PagesBuild } from "@/lib/runtime/server/pages/building-page";
import { guardPages } from "@/lib/runtime/server/pages/guard-pages";
import { withPagePolicy } from "@/lib/runtime/server/pages/page-policy";
import { writeAnswer } from "@/lib/runtime/server/write-answer";

type PageHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Pages {
  handler: PageHandler;
  /** Runs the API's routes through Next, in development and with API_THROUGH_NEXT. */
  apiHandler: PageHandler | false;
  webSockets: WebSocketRoute[];
}

type Stop = () => Promise<void>;

/**
 * Serves the pages of the dashboard and the docs as DASHBOARD says. With `build`, resolves immediately and builds them
 * in the background: until then, browsers get a page that reloads itself, and other clients 503/4004. With `off`, pages
 * are 404/1003. Registers its cleanup in `stops`.
 */
export async function servePages(
  createNext: typeof next,
  stops: Stop[],
  startBuild: () => PagesBuilder = buildPages,
): Promise<Pages> {
  const { DASHBOARD } = env();
  if (DASHBOARD === "off") return { handler: refusePage, apiHandler: false, webSockets: [] };
  return DASHBOARD === "on" ? startNext(createNext, stops) : startAfterBuild(createNext, stops, startBuild());
}

function startAfterBuild(createNext: typeof next, stops: Stop[], builder: PagesBuilder): Pages {
  let build: PagesBuild = "running";
  let built: PageHandler | null = null;
  let stopping = false;
  const stopsOfNext: Stop[] = [];
  stops.push(async () => {
    stopping = true;
    await builder.stop();
    for (const stop of stopsOfNext) await stop();
  });
  const serveBuilt = async () => {
    await builder.finished;
    built = (await startNext(createNext, stopsOfNext)).handler;
    process.stdout.write("\n  The dashboard is ready.\n");
  };
  serveBuilt().catch((error: unknown) => {
    build = "failed";
    if (!stopping) log.error({ err: error }, "the dashboard could not be built; the API is not affected");
  });
  return {
    handler: (request, response) =>
      built === null ? waitForBuild(build, request, response) : built(request, response),
    apiHandler: false,
    webSockets: [],
  };
}

async function startNext(createNext: typeof next, stops: Stop[]): Promise<Pages> {
  const { HOST, PORT, NODE_ENV, API_THROUGH_NEXT } = env();
  const development = NODE_ENV === "development";
  // Next adds its upgrade listener to the server that it receives, so it gets one that never listens.
  const upgrades = createServer();
  const app = createNext({
    dev: development,
    dir: process.cwd(),
    // Next makes URLs of it, for itself.
    hostname: HOST.includes(":") ? "localhost" : HOST,
    port: PORT,
    httpServer: upgrades,
  });
  await (development ? app.prepare() : withoutProgress(() => app.prepare()));
  stops.push(() => app.close());
  const pages = withPagePolicy(app.getRequestHandler(), { development, files: fileOrigins() });
  if (!development) {
    // `guardPages` limits the bodies of pages; API routes limit their own.
    return { handler: guardPages(pages), apiHandler: API_THROUGH_NEXT && pages, webSockets: [] };
  }
  const liveReload: WebSocketRoute = {
    matches: (path) => path.startsWith("/_next/"),
    handle: (...request) => void upgrades.emit("upgrade", ...request),
  };
  return { handler: pages, apiHandler: pages, webSockets: [liveReload] };
}

function refusePage({ method, url }: IncomingMessage, response: ServerResponse): void {
  answerError(response, new ApiError("route_unknown", `${method} ${url}: DASHBOARD is off`));
}

function waitForBuild(build: PagesBuild, request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.accept?.includes("text/html") === true) {
    writeAnswer(response, buildingPage(build, newTraceId()));
    return;
  }
  const reason = build === "running" ? "is being built: retry in 30 seconds" : "could not be built";
  answerError(response, new ApiError("service_unavailable", `the dashboard ${reason}`));
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
