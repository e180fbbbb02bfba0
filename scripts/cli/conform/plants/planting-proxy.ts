import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJson } from "@/scripts/cli/api-client";

// biome-ignore lint/suspicious/noExplicitAny: plants change arbitrary fields
type Json = any;

/** A request on its way to the server, which a plant may change. */
export interface ProxiedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Json;
}

/** A response on its way back, which a plant may change. */
export interface ProxiedResponse {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

/** A webhook on its way to the receiver. */
export interface ProxiedWebhook {
  version: string;
  headers: Record<string, string>;
  body: string;
  /** The signing secret of its subscription. */
  secret: string;
}

/** A difference from the contract, and what a report must say about it. */
export interface Plant extends Change {
  name: string;
  /** The check that names it, and what the check has seen. */
  found: { id: string; seen: RegExp };
  /** Further checks that fail for the same reason. */
  alsoFound?: RegExp;
}

/** The changes of a proxy. */
export interface Change {
  request?: (request: ProxiedRequest) => void;
  response?: (request: ProxiedRequest, response: ProxiedResponse) => void;
  /** Returning false drops the webhook, which the server believes to be delivered. */
  webhook?: (webhook: ProxiedWebhook) => boolean | undefined;
}

/**
 * A proxy in front of an instance and, for webhooks, behind it. Passes everything on unchanged but for the plants, and
 * records the requests. `hold`: requests that get no response.
 */
export async function startPlantingProxy(target: string, plants: readonly Change[] = []) {
  const requests: ProxiedRequest[] = [];
  const secrets = new Map<string, string>();
  let hold: (request: ProxiedRequest) => boolean = () => false;

  const server = http.createServer(async (incoming, response) => {
    try {
      const raw = await readBody(incoming);
      const url = incoming.url ?? "/";
      if (url.startsWith("/relay/")) return void response.writeHead(await relay(incoming, url, raw)).end();
      const request = { ...toRequest(incoming, raw), path: url };
      requests.push(structuredClone(request));
      if (hold(request)) return;
      for (const plant of plants) plant.request?.(request);
      const answer = await forward(request, raw);
      for (const plant of plants) plant.response?.(request, answer);
      response.writeHead(answer.status, answer.headers).end(toText(answer.body));
    } catch {
      incoming.socket.destroy();
    }
  });

  async function forward(request: ProxiedRequest, raw: string): Promise<ProxiedResponse> {
    const { method, headers } = request;
    const isSubscription = /^(POST|PUT) \/v3\/webhook-subscriptions/.test(`${method} ${request.path}`);
    const targetUrl = request.body?.target_url;
    if (isSubscription && typeof targetUrl === "string" && targetUrl.startsWith("http://127.")) {
      const version = new URL(targetUrl).searchParams.get("version") ?? "";
      const relayed = `${baseUrl()}/relay/${Buffer.from(targetUrl).toString("base64url")}?version=${version}`;
      request.body = { ...request.body, target_url: relayed };
    }
    const body = request.body === undefined ? raw : JSON.stringify(request.body);
    const { host: _, "content-length": __, ...kept } = headers;
    const got = await fetch(`${target}${request.path}`, {
      method,
      headers: kept,
      ...(method !== "GET" && body !== "" && { body }),
      redirect: "manual",
    });
    const isStream = got.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = isStream ? ": beginning\n\n" : await got.text();
    if (isStream) await got.body?.cancel();
    const answer = {
      status: got.status,
      headers: Object.fromEntries(got.headers),
      body: parseJson(text) ?? text,
    };
    for (const name of ["content-length", "transfer-encoding", "connection", "keep-alive"])
      delete answer.headers[name];
    const { id, signing_secret } = (answer.body ?? {}) as Json;
    if (isSubscription && signing_secret !== undefined) secrets.set(id, signing_secret);
    return answer;
  }

  async function relay(incoming: IncomingMessage, url: string, body: string): Promise<number> {
    const { pathname, searchParams } = new URL(url, target);
    const { host: _, "content-length": __, connection: ___, ...headers } = toRequest(incoming, "").headers;
    const webhook = {
      ...{ headers, body, version: searchParams.get("version") ?? "" },
      secret: secrets.get(headers["x-webhook-subscription-id"] ?? "") ?? "",
    };
    for (const plant of plants) if (plant.webhook?.(webhook) === false) return 200;
    const receiver = Buffer.from(pathname.slice("/relay/".length), "base64url").toString();
    const got = await fetch(receiver, { method: "POST", headers: webhook.headers, body: webhook.body });
    await got.body?.cancel();
    return got.status;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: baseUrl(),
    requests,
    holdRequests(which: typeof hold) {
      hold = which;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function toRequest(incoming: IncomingMessage, raw: string): Omit<ProxiedRequest, "path"> {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  return { method: incoming.method ?? "GET", headers, body: parseJson(raw) };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function toText(body: unknown): string {
  if (body === undefined || body === "") return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}
