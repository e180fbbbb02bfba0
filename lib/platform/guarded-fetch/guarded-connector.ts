import "server-only";
import dns from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { isOwnPort } from "@/lib/platform/guarded-fetch/own-ports";
import { skipInterimResponses } from "@/lib/platform/guarded-fetch/skip-interim";
import {
  type AllowList,
  canonicalHost,
  isAllowedTarget,
  isRefusedHost,
} from "@/lib/platform/guarded-fetch/target-rules";

/** A target that Trunkline does not connect to. The message is the same for every target. */
export class BlockedTarget extends Error {
  constructor() {
    super("the target must be a public address");
  }
}

type Resolve = (host: string) => Promise<dns.LookupAddress[]>;

/** The duration of each step of opening the connection, in ms. */
export interface ConnectTiming {
  dnsMs: number;
  connectMs: number;
  /** null for connections without TLS. */
  tlsMs: number | null;
}

export interface ConnectorOptions {
  allow: AllowList;
  connectTimeoutMs: number;
  resolve?: Resolve;
}

type Target = buildConnector.Options;
type Done = buildConnector.Callback;

const opened = new WeakMap<Socket, ConnectTiming>();

/** The time it took to open a connection; null for a later request on the same connection. */
export function connectTimingOf(socket: Socket): ConnectTiming | null {
  const timing = opened.get(socket) ?? null;
  opened.delete(socket);
  return timing;
}

/**
 * Opens connections only to public addresses and to private ones in the allowlist, never to Trunkline itself or its
 * PostgreSQL. The connection uses the address that was checked, so a second DNS response can't change the target.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allow, connectTimeoutMs: timeout } = options;
  const resolve = shareLookups(options.resolve ?? resolveHost);
  const secure = buildConnector({ timeout, allowH2: false });

  // TCP and TLS are separate steps, so that each can be timed.
  return (target, callback) => {
    // `lookup` is not called for a URL with an IP address.
    const port = portOf(target);
    if (isRefusedHost(target.hostname, allow) || isOwnPort(canonicalHost(target.hostname), port)) {
      return callback(new BlockedTarget(), null);
    }
    const startedAt = performance.now();
    let resolvedAt = startedAt;
    const lookup = guardedLookup({ allow, port, resolve }, () => {
      resolvedAt = performance.now();
    });
    const isSecure = target.protocol === "https:";
    openTcp(buildConnector({ timeout, lookup, allowH2: false }), target, (error, socket) => {
      if (error !== null) return callback(error, null);
      const connectedAt = performance.now();
      const timing = { dnsMs: resolvedAt - startedAt, connectMs: connectedAt - resolvedAt, tlsMs: null };
      if (!isSecure) return finish(socket, timing, callback);
      secure({ ...target, httpSocket: socket }, (failure, encrypted) => {
        if (failure !== null) return callback(failure, null);
        finish(encrypted, { ...timing, tlsMs: performance.now() - connectedAt }, callback);
      });
    });
  };
}

function portOf(target: Target): number {
  return Number(target.port || (target.protocol === "https:" ? 443 : 80));
}

function openTcp(connect: buildConnector.connector, target: Target, callback: Done): void {
  connect({ ...target, protocol: "http:", port: String(portOf(target)) }, callback);
}

function finish(socket: Socket, timing: ConnectTiming, callback: Done): void {
  opened.set(socket, timing);
  skipInterimResponses(socket);
  callback(null, socket);
}

function guardedLookup(
  { allow, port, resolve }: { allow: AllowList; port: number; resolve: Resolve },
  onResolved: () => void,
): LookupFunction {
  const isAllowed = (host: string, address: string) =>
    isAllowedTarget(host, address, allow) && !isOwnPort(address, port);
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        onResolved();
        const [first] = addresses;
        if (first === undefined) callback(withoutAddress(host), []);
        else if (!addresses.every(({ address }) => isAllowed(host, address))) {
          callback(new BlockedTarget(), []);
        } else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** The error of a name that exists without an address. */
function withoutAddress(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has no address`), { code: "ENODATA" });
}

// getaddrinfo has few threads, so concurrent connections to one host share a lookup.
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
