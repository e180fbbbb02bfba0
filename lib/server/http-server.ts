import "server-only";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { errorAnswer } from "@/lib/http/error-response";
import { clientAddress } from "@/lib/platform/client-address";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { newTraceId } from "@/lib/platform/ids";
import { type RequestClient, runForClient } from "@/lib/platform/request-client";
import { type ApiRouter, apiPath } from "@/lib/server/api-router";
import { healthAnswer, isHealthPath } from "@/lib/server/health";

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface HttpServerOptions {
  host: string;
  port: number;
  api: ApiRouter;
  /** In development Next answers the API's known routes too, with fresh code. */
  apiThroughNext: boolean;
  /** Answers everything else: Next. */
  pages: NodeHandler;
}

const USER_AGENT_MAX_LENGTH = 300;
const KEEP_ALIVE_MS = 65_000;
// As long as an upload address is good for.
const REQUEST_MS = 15 * 60_000;

/** Listens, with the API answered before Next (docs/decisions/0001). Rejects when the port is taken. */
export async function listen(options: HttpServerOptions): Promise<Server> {
  const api = getRequestListener((request) => options.api.fetch(request), { overrideGlobalObjects: true });
  const goesToNext = (method: string, path: string) =>
    options.apiThroughNext && options.api.knows(method, path);
  const answer: NodeHandler = (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (isHealthPath(path)) return void healthAnswer(path, response);
    if (apiPath(path) === null || goesToNext(request.method ?? "GET", path))
      return void options.pages(request, response);
    void api(request, response);
  };
  const server = createServer((request, response) =>
    runForClient(clientOf(request), () => void answer(request, response)),
  );
  server.on("clientError", refuseUnreadable);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1000;
  server.requestTimeout = REQUEST_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

function clientOf({ socket, headers }: IncomingMessage): RequestClient {
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join(",") || undefined;
  return {
    address: clientAddress(socket.remoteAddress, forwardedFor, env().TRUST_PROXY),
    userAgent: headers["user-agent"]?.slice(0, USER_AGENT_MAX_LENGTH) ?? null,
  };
}

// What is no HTTP, or has headers without end, reaches no route: it is told so in the same words as everything else.
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const why =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "the address and the headers together are larger than 16 KB"
      : "this is not an HTTP request";
  const { status, headers, text } = errorAnswer(new ApiError("body_invalid", why), newTraceId());
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} Bad Request`, ...lines, "", text].join("\r\n"));
}

/** Stops taking connections, lets running requests end, and cuts what is left after `patienceMs`. */
export async function drainServer(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearTimeout(cut);
}
