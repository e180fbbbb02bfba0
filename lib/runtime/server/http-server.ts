import "server-only";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";
import { clientAddress } from "@/lib/platform/http/client-address";
import { attachNodeBody } from "@/lib/platform/http/node-body";
import { type RequestClient, runForClient } from "@/lib/platform/http/request-client";
import { newTraceId } from "@/lib/platform/ids";
import { isDraining } from "@/lib/platform/instances/drain";
import { errorResponse } from "@/lib/runtime/http/error-response";
import { healthAnswer, isHealthPath } from "@/lib/runtime/monitoring/health";
import { answerMetrics, isMetricsPath } from "@/lib/runtime/monitoring/metrics";
import { answerError, answerErrorRaw } from "@/lib/runtime/server/answer-error";
import { type ApiRouter, apiPath } from "@/lib/runtime/server/api-router";
import { findRequestError, methodRefused, toOriginForm } from "@/lib/runtime/server/check-request";
import { limitConnections } from "@/lib/runtime/server/limit-connections";
import { STRICT_TRANSPORT, strictHosts } from "@/lib/runtime/server/strict-transport";

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A path that supports WebSocket. Upgrade requests to other paths are answered as HTTP/1.1. */
export interface WebSocketRoute {
  matches(path: string): boolean;
  /** The path serves nothing but WebSockets: other GET requests get 426. */
  isOnlyUpgraded?: boolean;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface HttpServerOptions {
  host: string;
  port: number;
  api: ApiRouter;
  /** In development, Next also handles the API's known routes, with fresh code. */
  apiThroughNext: NodeHandler | false;
  /** Handles all other requests: Next. */
  pages: NodeHandler;
  webSockets?: readonly WebSocketRoute[];
  /** 0, the default = no limit. */
  connectionsPerAddress?: number;
}

const USER_AGENT_MAX_LENGTH = 300;
const KEEP_ALIVE_MS = 65_000;
// The lifetime of an upload URL.
const REQUEST_MS = 15 * 60_000;
// Time that an unread body may continue to arrive after the response before its connection is closed.
const UNREAD_MS = 500;
// The current response of each connection, for parse errors: an error must not be written into a started response.
const responses = new WeakMap<Duplex, ServerResponse>();

/** Closes its connection after the response once this process drains, no matter when the request arrived. */
class DrainingResponse extends ServerResponse {
  override writeHead(status: number, ...rest: unknown[]): this {
    if (isDraining()) this.shouldKeepAlive = false;
    return super.writeHead(status, ...(rest as []));
  }
}

/** Listens, with the API served before Next (docs/decisions/0001). Rejects when the port is in use. */
export async function listen(options: HttpServerOptions): Promise<Server> {
  const serveApi = (request: Request, { incoming }: { incoming: Readable }) => {
    // Only uploads read this stream.
    if (request.method === "PUT") attachNodeBody(request, incoming);
    return options.api.fetch(request);
  };
  const api = getRequestListener(serveApi, { overrideGlobalObjects: true, errorHandler: unroutable });
  const server = createServer({
    ServerResponse: DrainingResponse,
    // `refusalOf` checks it and returns the error envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: (request) => webSocketOf(request) !== undefined,
  });
  const isStrict = strictHosts();
  const isRefused = limitConnections(server, options.connectionsPerAddress ?? 0);

  server.on("request", (request, response) =>
    runForClient(clientOf(request), () => answer(request, response)),
  );
  server.on("checkContinue", (request, response) =>
    runForClient(clientOf(request), () => answer(request, response, true)),
  );
  server.on("checkExpectation", (request, response) => {
    prepare(request, response);
    const detail = `Expect: ${request.headers.expect}; use 100-continue`;
    answerError(response, new ApiError("expectation_failed", detail));
  });
  server.on("connect", (request, socket) => answerErrorRaw(socket, methodRefused(`CONNECT ${request.url}`)));
  server.on("upgrade", (request, socket, head) => {
    if (isRefused(request.socket)) return;
    runForClient(clientOf(request), () => webSocketOf(request)?.handle(request, socket, head));
  });
  server.on("clientError", refuseUnreadable);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1000;
  server.requestTimeout = REQUEST_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explainListen(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  return server;

  function answer(request: IncomingMessage, response: ServerResponse, expectsContinue = false): void {
    if (isRefused(request.socket)) return;
    prepare(request, response);
    toOriginForm(request);
    const path = pathOf(request);
    const refusal = findRequestError(request, path);
    if (refusal !== null) return void answerError(response, refusal);
    if (expectsContinue) response.writeContinue();
    if (isHealthPath(path)) return void healthAnswer(path, response);
    if (isMetricsPath(path)) return void answerMetrics(request, response);
    if (
      request.method === "GET" &&
      options.webSockets?.some((one) => one.isOnlyUpgraded && one.matches(path))
    ) {
      const upgrade = { upgrade: "websocket", connection: "Upgrade" };
      const detail = `GET ${path} opens a WebSocket: send Connection: Upgrade and Upgrade: websocket, and let proxies pass them on`;
      return void answerError(response, new ApiError("upgrade_required", detail, undefined, upgrade));
    }
    if (apiPath(path) === null) return void options.pages(request, response);
    if (options.apiThroughNext !== false && options.api.knows(request.method ?? "GET", path)) {
      return void options.apiThroughNext(request, response);
    }
    // A private answer that names no other rule must not stay in a cache.
    if (path.startsWith("/api/")) response.setHeader("cache-control", "no-store");
    void api(request, response);
  }

  function prepare(request: IncomingMessage, response: ServerResponse): void {
    track(request, response);
    response.setHeader("x-content-type-options", "nosniff");
    if (isStrict(request.headers.host)) response.setHeader(...STRICT_TRANSPORT);
  }

  function webSocketOf(request: IncomingMessage): WebSocketRoute | undefined {
    if (request.headers.upgrade?.toLowerCase() !== "websocket") return undefined;
    return options.webSockets?.find(({ matches }) => matches(pathOf(request)));
  }
}

const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: another program uses this port. Stop it, or set PORT to a free port",
  EACCES: "PORT: this user may not use the port. Set PORT to 1024 or more, behind a reverse proxy",
  EADDRNOTAVAIL: "HOST: this machine has no such address. Set HOST to one of its addresses, or to localhost",
  ENOTFOUND: "HOST: this name has no address. Set HOST to an address of this machine, or to localhost",
  EAI_AGAIN: "HOST: the address of this name could not be found. Set HOST to an address of this machine",
  EINVAL: "HOST: this address can't be used. Set HOST to an address of this machine, or to localhost",
};

function explainListen(error: NodeJS.ErrnoException, { host, port }: HttpServerOptions): Error {
  const advice = LISTEN_ADVICE[error.code ?? ""];
  if (advice === undefined) return error;
  return new Error(`${advice} (HOST=${host}, PORT=${port}: ${error.code}).`, { cause: error });
}

function clientOf({ socket, headers }: IncomingMessage): RequestClient {
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join(",") || undefined;
  return {
    address: clientAddress(socket.remoteAddress, forwardedFor, env().TRUST_PROXY),
    userAgent: headers["user-agent"]?.slice(0, USER_AGENT_MAX_LENGTH) ?? null,
    connection: socket,
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

function track(request: IncomingMessage, response: ServerResponse): void {
  responses.set(request.socket, response);
  const { headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  response.once("finish", () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => request.complete || request.socket.destroySoon(), UNREAD_MS).unref();
  });
}

// The HTTP parser accepts some hosts and paths that are not valid in a URL.
function unroutable(error: unknown): Response {
  const isUnreadable = error instanceof Error && error.name === "RequestError";
  const thrown = isUnreadable ? new ApiError("body_invalid", error.message) : error;
  return errorResponse(thrown, newTraceId());
}

// Bytes that are not HTTP, or headers that are too long, reach no route. They get the error envelope too.
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const response = responses.get(socket);
  const isAnswering = response?.headersSent === true && !response.writableFinished;
  if (!socket.writable || isAnswering || error.code === "ECONNRESET") return void socket.destroy();
  answerErrorRaw(socket, unreadable(error.code));
}

function unreadable(code: string | undefined): ApiError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new ApiError("body_too_slow");
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ApiError("body_invalid", "the URL and headers exceed 16 KB");
  }
  return new ApiError("body_invalid", "this is not an HTTP request");
}

// Time during which new requests are still served, each with Connection: close, while clients and load balancers
// switch to other instances.
const TURN_AWAY_MS = 1000;
// After this time without a request, no client is likely to be about to use an idle connection.
const QUIET_MS = 200;
const LOOK_MS = 25;

/**
 * Stops a server without failing a request. Every response now has Connection: close. The port closes after 200 ms
 * without a new request, or after one second. Running requests complete, and after `patienceMs` the remaining
 * connections are closed. A connection that a client may be about to use stays open, unless the client ignored
 * Connection: close.
 */
export async function drainServer(server: Server, patienceMs: number): Promise<void> {
  const began = performance.now();
  let lastRequestAt = began;
  server.on("request", () => {
    lastRequestAt = performance.now();
  });
  while ((await countConnections(server)) > 0) {
    const at = performance.now();
    if (at - lastRequestAt >= QUIET_MS || at - began >= Math.min(TURN_AWAY_MS, patienceMs)) break;
    await sleep(LOOK_MS);
  }

  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(cut);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}
