import type { AddressInfo } from "node:net";
import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/server/api-router";
import { listen } from "@/lib/server/http-server";

/** The API on a port of its own, as the server serves it: for what needs a connection. */
export async function serveApi(): Promise<{ baseUrl: string; port: number; close(): Promise<void> }> {
  const server = await listen({
    host: "127.0.0.1",
    port: 0,
    api: createApiRouter(routes),
    apiThroughNext: false,
    pages: (_, response) => response.writeHead(404).end(),
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
