import "server-only";
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BlockList } from "node:net";
import { collectGauges } from "@/lib/operations/instance/collect-gauges";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { baseUrl, env } from "@/lib/platform/env";
import { isLoopbackHost } from "@/lib/platform/is-loopback-host";
import { registry } from "@/lib/platform/telemetry/metrics";
import { healthAnswer, isHealthPath } from "@/lib/runtime/monitoring/health";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

export function isMetricsPath(path: string): boolean {
  return path === "/metrics";
}

/**
 * Answers a scrape in Prometheus' text format. With METRICS_TOKEN, the request needs it as a bearer token. Without one,
 * only this machine may read metrics, and no request that a proxy has forwarded.
 */
export async function answerMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refuse(response, 405, "Use GET.", { allow: "GET, HEAD" });
  }
  const { METRICS_TOKEN: token } = env();
  if (token === undefined && !isLocal(request)) {
    return refuse(response, 403, "Set METRICS_TOKEN to read metrics from other machines or through a proxy.");
  }
  if (token !== undefined && !carries(request, token)) {
    return refuse(response, 401, "The bearer token is missing or wrong.", { "www-authenticate": "Bearer" });
  }
  await collectGauges();
  const text = await registry.metrics();
  response.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" }).end(text);
}

/**
 * Serves /metrics, /health and /ready on METRICS_PORT, for processes that serve no requests and for networks where
 * scrapers must not reach the API. Returns a function that stops it. Rejects when the port is in use.
 */
export async function listenForMetrics(host: string, port: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (isHealthPath(path)) return void healthAnswer(path, response);
    if (isMetricsPath(path)) return void answerMetrics(request, response);
    refuse(response, 404, "Only /metrics, /health and /ready are served on this port.");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

// A reverse proxy on this machine makes every request look local, so an instance with a public URL needs the token.
function isLocal({ socket, headers }: IncomingMessage): boolean {
  if (!isLoopbackHost(new URL(baseUrl()).hostname)) return false;
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  if (headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined) return false;
  return address !== "" && loopback.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

function carries({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(sha256(given), sha256(token));
}

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  });
  response.end(`${text}\n`);
}
