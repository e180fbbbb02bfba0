import "server-only";
import { Agent, type Dispatcher } from "undici";
import { BlockedTarget, type ConnectorOptions, guardedConnector } from "@/lib/platform/guarded-connector";
import { type RequestTiming, timed } from "@/lib/platform/request-timing";

const DISCARD_MOST_BYTES = 64 * 1024;

/** No complete answer within the time the caller gave. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`no answer within ${seconds} seconds`);
  }
}

export interface GuardOptions extends ConnectorOptions {
  /** Connections kept to one origin; requests beyond it wait. */
  connectionsPerOrigin: number;
}

/** An undici agent that connects only where `guardedConnector` lets it. */
export function guardedAgent(options: GuardOptions): Agent {
  return new Agent({
    connections: options.connectionsPerOrigin,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: guardedConnector(options),
  });
}

export interface PostRequest {
  headers: Record<string, string>;
  body: string;
  /** For everything: resolving, connecting, sending, waiting and reading. */
  timeoutMs: number;
  /** How much of the answer is kept; the rest is dropped, or cut off when it is long. */
  keepBytes: number;
  /** Told once, when the request has ended, well or not. */
  onTiming?(timing: RequestTiming): void;
}

/** The start of an answer. */
export interface PostAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/**
 * POSTs once; redirects are answers like others, never followed. Throws BlockedTarget, TimedOut, or what the network
 * did. An answer whose body does not end in time counts with what came of it.
 */
export async function postGuarded(agent: Dispatcher, target: URL, request: PostRequest): Promise<PostAnswer> {
  if (!isPostable(target)) throw new BlockedTarget();
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(new TimedOut(request.timeoutMs / 1000)), request.timeoutMs);
  const { answer, timing } = timed(() =>
    agent.request({
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal: expiry.signal,
    }),
  );
  try {
    const { statusCode, headers, body } = await answer;
    return { status: statusCode, headers, body: await readStart(body, request.keepBytes) };
  } finally {
    clearTimeout(timer);
    request.onTiming?.(timing());
  }
}

/** An answer whose body is still to come. */
export interface OpenAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
  /** Ends the connection: whoever does not read the body to its end must call it. */
  drop(): void;
}

/**
 * GETs once; a redirect is an answer like others, never followed. Throws BlockedTarget or what the network did; after
 * the signal, reading the body throws too.
 */
export async function openGuarded(agent: Dispatcher, target: URL, signal: AbortSignal): Promise<OpenAnswer> {
  if (!isPostable(target)) throw new BlockedTarget();
  const { statusCode, headers, body } = await agent.request({
    origin: target.origin,
    path: `${target.pathname}${target.search}`,
    method: "GET",
    headers: { accept: "*/*", "user-agent": "Trunkline-Media/1" },
    signal,
  });
  return { status: statusCode, headers, body, drop: () => void body.on("error", () => undefined).destroy() };
}

function isPostable(target: URL): boolean {
  const isHttp = target.protocol === "https:" || target.protocol === "http:";
  return isHttp && target.username === "" && target.password === "";
}

async function readStart(body: AsyncIterable<Buffer>, keepBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      if (size < keepBytes) kept.push(chunk.subarray(0, keepBytes - size));
      size += chunk.length;
      if (size > keepBytes + DISCARD_MOST_BYTES) break;
    }
  } catch {
    // The status has come; how the rest of the body ends changes nothing.
  }
  return Buffer.concat(kept);
}
