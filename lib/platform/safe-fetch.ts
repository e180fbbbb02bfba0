import "server-only";
import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type AllowList, canonicalHost, isRefusedHost, mayReach } from "@/lib/platform/target-rules";

const DISCARD_MOST_BYTES = 64 * 1024;

/** A target this service does not connect to. Says the same whatever the target was. */
export class BlockedTarget extends Error {
  constructor() {
    super("the target is not an address this service may reach");
  }
}

/** No complete answer within the time the caller gave. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`no answer within ${seconds} seconds`);
  }
}

type Resolve = (host: string) => Promise<dns.LookupAddress[]>;

export interface GuardOptions {
  allow: AllowList;
  /** Connections kept to one origin; requests beyond it wait. */
  connectionsPerOrigin: number;
  connectTimeoutMs: number;
  resolve?: Resolve;
}

/**
 * An undici agent that opens connections to public addresses only, and to private ones the allow-list names. The
 * address that was checked is the one connected to, so a name cannot change its mind in between.
 */
export function guardedAgent(options: GuardOptions): Agent {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    lookup: guardedLookup(options.allow, shareLookups(options.resolve ?? resolveHost)),
  });
  return new Agent({
    connections: options.connectionsPerOrigin,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      // An address in the URL never reaches `lookup`.
      if (isRefusedHost(target.hostname, options.allow)) callback(new BlockedTarget(), null);
      else connect(target, callback);
    },
  });
}

export interface PostRequest {
  headers: Record<string, string>;
  body: string;
  /** For everything: resolving, connecting, sending, waiting and reading. */
  timeoutMs: number;
  /** How much of the answer is kept; the rest is dropped, or cut off when it is long. */
  keepBytes: number;
}

/** The start of an answer. */
export interface PostAnswer {
  status: number;
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
  try {
    const answer = await agent.request({
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal: expiry.signal,
    });
    return { status: answer.statusCode, body: await readStart(answer.body, request.keepBytes) };
  } finally {
    clearTimeout(timer);
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

function guardedLookup(allow: AllowList, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => mayReach(host, address, allow))) {
          callback(new BlockedTarget(), []);
        } else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

// getaddrinfo has few threads: connections opened at the same time to one host ask once.
function shareLookups(resolve: Resolve): Resolve {
  const running = new Map<string, Promise<dns.LookupAddress[]>>();
  return (host) => {
    const key = canonicalHost(host);
    const known = running.get(key);
    if (known !== undefined) return known;
    const lookup = resolve(host).finally(() => running.delete(key));
    running.set(key, lookup);
    return lookup;
  };
}

function resolveHost(host: string): Promise<dns.LookupAddress[]> {
  return dns.promises.lookup(host, { all: true });
}
