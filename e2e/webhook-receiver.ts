import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  headers: Record<string, string>;
  body: string;
  event: { event_type: string; event_id: string; data: Record<string, unknown>; [key: string]: unknown };
}

/** The time limit for an event. A busy machine can take this long. */
const LIMIT_MS = 60_000;

/** A partner's server on loopback: records its requests and returns 200, or the status that a test sets. */
export async function startReceiver() {
  const received: Received[] = [];
  let status = 200;
  let headers: Readonly<Record<string, string>> = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      received.push({ headers: flat(request.headers), body, event: JSON.parse(body) });
      response.writeHead(status, headers).end(status === 200 ? "ok" : "not now");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  /** Waits for the first event of a type that matches. */
  async function next(
    type: string,
    fits: (event: Received["event"]) => boolean = () => true,
  ): Promise<Received> {
    const until = Date.now() + LIMIT_MS;
    while (Date.now() < until) {
      const found = received.find(({ event }) => event.event_type === type && fits(event));
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const seen = received.map(({ event }) => event.event_type).join(", ");
    throw new Error(`no ${type} within ${LIMIT_MS / 1000} s; received: ${seen || "nothing"}`);
  }

  return {
    url: `http://localhost:${port}/hooks`,
    received,
    next,
    answer(next: number, its: Readonly<Record<string, string>> = {}): void {
      status = next;
      headers = its;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
