import "server-only";
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { env, memoizePerEnv } from "@/lib/platform/env";
import { guardedConnector } from "@/lib/platform/guarded-fetch/guarded-connector";
import { guardedAgent } from "@/lib/platform/guarded-fetch/safe-fetch";
import { type AllowList, isNamed, parseAllowList } from "@/lib/platform/guarded-fetch/target-rules";

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN = 64;

const network = memoizePerEnv(() => {
  const allow = readAllowList();
  const options = { allow, connectTimeoutMs: CONNECT_TIMEOUT_MS };
  return {
    allow,
    connect: guardedConnector(options),
    agent: guardedAgent({ ...options, connectionsPerOrigin: CONNECTIONS_PER_ORIGIN }),
  };
});

/** The guarded agent for requests to vendors. Throws when TRANSPORT_ALLOW_PRIVATE can't be parsed. */
export function vendorAgent(): Dispatcher {
  return network().agent;
}

/** Whether a vendor's URL may be called: https, or http to a host in TRANSPORT_ALLOW_PRIVATE, without credentials. */
export function mayCallVendor(url: URL): boolean {
  const isAllowed =
    url.protocol === "https:" || (url.protocol === "http:" && isNamed(url.hostname, network().allow));
  return isAllowed && url.username === "" && url.password === "";
}

/** Opens a TCP connection to a vendor within 10 seconds. Throws BlockedTarget or the network's error. */
export function connectToVendor(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const target = { hostname: host, protocol: "http:", port: String(port), host: `${host}:${port}` };
    network().connect(target, (error, socket) => (error === null ? resolve(socket) : reject(error)));
  });
}

function readAllowList(): AllowList {
  try {
    return parseAllowList(env().TRANSPORT_ALLOW_PRIVATE);
  } catch (error) {
    throw new Error(`TRANSPORT_ALLOW_PRIVATE: ${error instanceof Error ? error.message : error}`);
  }
}
