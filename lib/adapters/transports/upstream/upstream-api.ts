import "server-only";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { type Connection, connectionOf } from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { toUpstreamError } from "@/lib/adapters/transports/upstream/upstream-errors";
import { UpstreamSettings } from "@/lib/adapters/transports/upstream/upstream-settings";
import { mayCallVendor, vendorAgent } from "@/lib/adapters/transports/vendor-network";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";

const RESPONSE_MS = 60_000;
const MAX_REDIRECTS = 3;

/** Errors of connections that were never opened, so the upstream has nothing of the request. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface UpstreamRequest<Schema extends z.ZodType> {
  /** Parses the response; null for a response without a body. */
  schema: Schema;
  body?: unknown;
  query?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/**
 * A successful response that can't be read. It proves that the request was performed, but not how. A read that ends like
 * this ends like this again.
 */
export class UnreadableResponse extends AdapterError {
  constructor(what: string) {
    super("unknown_outcome", `the response of the upstream to ${what} can't be read`);
  }
}

/** The API of one line's upstream account. */
export interface UpstreamApi {
  line: LineRef;
  settings: UpstreamSettings;
  /** The settings as they are stored. */
  connection: Connection;
  /** The line's number in the upstream account. */
  number: string;
  /** Identifies the upstream account among others. */
  account: string;
  /**
   * Calls the API. Throws UpstreamError for an error of the API, and AdapterError: `line_down` when the upstream can't
   * be reached, `unknown_outcome` when it may have performed the request.
   */
  call<Schema extends z.ZodType>(
    what: `${Method} /${string}`,
    request: UpstreamRequest<Schema>,
  ): Promise<z.output<Schema>>;
  /** Opens the response of a GET as a stream. Throws as `call`. */
  open(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Readable>;
}

/** The API of a line's upstream. Throws AdapterError `line_down` for a line without a usable connection. */
export async function upstreamOf(line: LineRef, connection?: Connection): Promise<UpstreamApi> {
  const stored = connection ?? (await connectionOf(line));
  const parsed = UpstreamSettings.safeParse(stored);
  if (!parsed.success)
    throw new AdapterError("line_down", "the settings of the upstream are not valid: connect the line again");
  return createApi(line, stored, parsed.data);
}

function createApi(line: LineRef, connection: Connection, settings: UpstreamSettings): UpstreamApi {
  const headers = { authorization: `Bearer ${settings.api_token}` };
  const toUrl = (path: string, query: Readonly<Record<string, string>> = {}) => {
    const url = new URL(`${settings.base_url.replace(/\/+$/, "")}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  return {
    line,
    settings,
    connection,
    number: settings.phone_number ?? line.phoneNumber,
    account: `${settings.base_url} ${settings.api_token}`,
    async call(what, { schema, body, query, signal }) {
      const [method = "GET", path = ""] = what.split(" ");
      const response = await request(toUrl(path, query), {
        method: method as Method,
        headers: { ...headers, accept: "application/json", "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
        signal: limited(signal),
      });
      const answer: unknown = await readJson(response);
      if (response.statusCode >= 400) throw failureOf(response, answer);
      const parsed = schema.safeParse(answer);
      if (parsed.success) return parsed.data;
      throw new UnreadableResponse(what);
    },
    async open(path, query, signal) {
      const response = await request(toUrl(path, query), {
        method: "GET",
        headers: { ...headers, accept: "text/event-stream" },
        body: null,
        signal,
      });
      if (response.statusCode >= 400) throw failureOf(response, await readJson(response));
      return response.body;
    },
  };
}

/** Uploads bytes to a presigned URL of the upstream. Throws AdapterError. */
export async function putFile(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const response = await request(new URL(url), { method: "PUT", headers, body, signal: limited(signal) });
  await response.body.dump();
  if (response.statusCode >= 300) {
    const kind = response.statusCode >= 500 ? "rate_limited" : "rejected";
    throw new AdapterError(kind, `the upstream did not accept a file: status ${response.statusCode}`);
  }
}

/** Opens a file of the upstream by its URL. Follows up to three redirects. Throws AdapterError. */
export async function openFile(url: string): Promise<AsyncIterable<Uint8Array>> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(target, { method: "GET", headers: {}, body: null, signal: limited() });
    if (response.statusCode < 300) return response.body;
    await response.body.dump();
    const { location } = response.headers;
    if (response.statusCode >= 400 || typeof location !== "string") {
      const kind = response.statusCode >= 500 || response.statusCode === 429 ? "rate_limited" : "rejected";
      throw new AdapterError(kind, `the file could not be downloaded: status ${response.statusCode}`);
    }
    target = new URL(location, target);
  }
  throw new AdapterError("rejected", "the file could not be downloaded: too many redirects");
}

interface RawRequest {
  method: Method;
  headers: Readonly<Record<string, string>>;
  body: string | AsyncIterable<Uint8Array> | null;
  signal: AbortSignal;
}

async function request(
  url: URL,
  { method, headers, body, signal }: RawRequest,
): Promise<Dispatcher.ResponseData> {
  if (!mayCallVendor(url)) {
    throw new AdapterError("line_down", `${url.host} is not allowed: use https, or TRANSPORT_ALLOW_PRIVATE`);
  }
  try {
    return await vendorAgent().request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers },
      body: typeof body === "string" || body === null ? body : Readable.from(body, { objectMode: false }),
      signal,
    });
  } catch (error) {
    if (error instanceof BlockedTarget || NOT_CONNECTED.has(codeOf(error))) {
      throw new AdapterError("line_down", `the upstream can't be reached: ${messageOf(error)}`);
    }
    throw new AdapterError("unknown_outcome", `the upstream did not respond: ${messageOf(error)}`);
  }
}

async function readJson({ body, statusCode }: Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text().catch((error: unknown) => {
    throw new AdapterError("unknown_outcome", `the upstream did not respond: ${messageOf(error)}`);
  });
  if (text === "" || statusCode === 204) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function failureOf({ statusCode, headers }: Dispatcher.ResponseData, body: unknown) {
  const after = headers["retry-after"];
  return toUpstreamError(statusCode, body, typeof after === "string" ? after : undefined);
}

function limited(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(RESPONSE_MS);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
