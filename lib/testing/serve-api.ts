import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { type HttpServerOptions, listen } from "@/lib/runtime/server/http-server";
import { guardPages } from "@/lib/runtime/server/pages/guard-pages";

/** Replaces Next. */
function notFoundPage(_: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(404, { "content-type": "text/html; charset=utf-8" })
    .end("<!doctype html><p>Not found</p>");
}

/** Serves the API on its own port like the server does, for tests that need a connection. */
export async function serveApi(
  more: Partial<HttpServerOptions> = {},
): Promise<{ baseUrl: string; port: number; server: Server; close(): Promise<void> }> {
  const server = await listen({
    host: "127.0.0.1",
    port: 0,
    api: createApiRouter([...routes, ...privateRoutes]),
    apiThroughNext: false,
    pages: guardPages(notFoundPage),
    ...more,
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    server,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
