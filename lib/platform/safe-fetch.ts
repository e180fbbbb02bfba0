import "server-only";
import { Agent, type Dispatcher } from "undici";
import { BlockedTarget, type ConnectorOptions, guardedConnector } from "@/lib/platform/guarded-connector";

/** No complete answer within the time the caller gave. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`no response within ${seconds} seconds`);
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

/** An answer whose body is still to come. */
export interface OpenAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection. A caller that does not read the body to its end must call it. */
  drop(): void;
}

/**
 * Sends one GET and returns redirects like any response: the caller follows them. Throws BlockedTarget or the network's
 * error; after the signal, reading the body throws too.
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

/** Whether an address is http(s) without credentials: whatever else it names is not asked. */
export function isPostable(target: URL): boolean {
  const isHttp = target.protocol === "https:" || target.protocol === "http:";
  return isHttp && target.username === "" && target.password === "";
}
