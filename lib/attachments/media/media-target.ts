import "server-only";
import { env, memoizePerEnv } from "@/lib/platform/env";
import { guardedAgent } from "@/lib/platform/guarded-fetch/safe-fetch";
import { type AllowList, isNamed, parseAllowList } from "@/lib/platform/guarded-fetch/target-rules";

const CONNECTIONS_PER_ORIGIN = 16;
const CONNECT_TIMEOUT_MS = 5000;

interface MediaNetwork {
  allow: AllowList;
  agent: ReturnType<typeof guardedAgent>;
}

const network = memoizePerEnv(openNetwork);

/** The guarded connector for media downloads. Throws when MEDIA_ALLOW_PRIVATE can't be parsed. */
export function mediaAgent(): MediaNetwork["agent"] {
  return network().agent;
}

/** Whether a URL may be requested: https, or http to a host in MEDIA_ALLOW_PRIVATE, without credentials. */
export function mayDownload(url: URL): boolean {
  const isAllowed =
    url.protocol === "https:" || (url.protocol === "http:" && isNamed(url.hostname, network().allow));
  return isAllowed && url.username === "" && url.password === "";
}

function openNetwork(): MediaNetwork {
  const allow = readAllowList();
  const agent = guardedAgent({
    allow,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  return { allow, agent };
}

function readAllowList(): AllowList {
  try {
    return parseAllowList(env().MEDIA_ALLOW_PRIVATE);
  } catch (error) {
    throw new Error(`MEDIA_ALLOW_PRIVATE: ${error instanceof Error ? error.message : error}`);
  }
}
