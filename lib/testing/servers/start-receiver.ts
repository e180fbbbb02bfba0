import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A webhook as received. */
interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The body, parsed. Reading it fails if the body is not JSON. */
  readonly event: {
    event_type: string;
    event_id: string;
    data: Record<string, unknown>;
    [key: string]: unknown;
  };
  /** performance.now() */
  at: number;
}

type Respond = (response: http.ServerResponse, count: number, request: http.IncomingMessage) => void;

export interface Receiver {
  url: string;
  port: number;
  received: ReceivedWebhook[];
  /** Waits for the first event of a type that matches. */
  next(type: string, matches?: (event: ReceivedWebhook["event"]) => boolean): Promise<ReceivedWebhook>;
  /** Responds with this status and these headers from now on, in place of `respond`. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** The time limit for an event. A busy machine can take this long. */
const EVENT_MS = 60_000;

/**
 * Starts a partner's server on loopback that stores the webhooks it receives. `respond` handles the `count`-th request
 * (from 1). Load tests use a receiver in its own process (scripts/instance/start-receiver.mjs).
 */
export async function startReceiver(
  respond: Respond = (response) => response.end("ok"),
  onPort = 0,
): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let handle = respond;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = Buffer.concat(chunks).toString("utf8");
      received.push({
        ...{ path: request.url ?? "", headers, body, at: performance.now() },
        get event() {
          return JSON.parse(body);
        },
      });
      handle(response, received.length, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(onPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    async next(type, matches = () => true) {
      const end = performance.now() + EVENT_MS;
      while (performance.now() < end) {
        const found = received.find(({ event }) => event.event_type === type && matches(event));
        if (found !== undefined) return found;
        await sleep(20);
      }
      const seen = received.map(({ event }) => event.event_type).join(", ");
      throw new Error(`no ${type} within ${EVENT_MS / 1000} s; received: ${seen || "nothing"}`);
    },
    answer(status, headers = {}) {
      handle = (response) => response.writeHead(status, headers).end(status === 200 ? "ok" : "not now");
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
