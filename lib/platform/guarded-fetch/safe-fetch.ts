import "server-only";
import { Agent, type Dispatcher } from "undici";
import {
  BlockedTarget,
  type ConnectorOptions,
  guardedConnector,
} from "@/lib/platform/guarded-fetch/guarded-connector";

/** No complete response arrived within the caller's time limit. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`no response within ${seconds} seconds`);
  }
}

export interface GuardOptions extends ConnectorOptions {
  /** Maximum number of connections to one origin. Further requests wait. */
  connectionsPerOrigin: number;
}

/** An undici agent for HTTP/1.1 that connects only where `guardedConnector` allows it. */
export function guardedAgent(options: GuardOptions): Agent {
  return new Agent({
    connections: options.connectionsPerOrigin,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: guardedConnector(options),
  });
}

/** A response whose body has not been read. */
export interface OpenAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection. A caller that does not read the whole body must call it. */
  drop(): void;
}

/**
 * Sends one GET and returns redirects like any response, so the caller follows them. Throws BlockedTarget or the
 * network's error. After the signal fires, reading the body throws too.
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

/** Whether a URL uses http(s) and contains no credentials. Other URLs are never requested. */
export function isPostable(target: URL): boolean {
  const isHttp = target.protocol === "https:" || target.protocol === "http:";
  return isHttp && target.username === "" && target.password === "";
}
