import http from "node:http";
import type { AddressInfo } from "node:net";

/** A webhook as received. */
interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** performance.now() */
  at: number;
}

type Respond = (response: http.ServerResponse, count: number, request: http.IncomingMessage) => void;

export interface Receiver {
  url: string;
  received: ReceivedWebhook[];
  close(): Promise<void>;
}

/**
 * Starts a partner's server on loopback that stores the webhooks it receives. `respond` handles the `count`-th request
 * (from 1).
 */
export async function startReceiver(respond: Respond = (response) => response.end("ok")): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = Buffer.concat(chunks).toString("utf8");
      received.push({ path: request.url ?? "", headers, body, at: performance.now() });
      respond(response, received.length, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
