import "server-only";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import { mayCallVendor, vendorAgent } from "@/lib/adapters/transports/vendor-network";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";

/** Shorter than a poll may take: a phone that sleeps accepts a connection and never answers. */
const RESPONSE_MS = 10_000;
/** More than the largest page of messages: an answer that is larger is not that of SMSGate. */
const MAX_ANSWER_BYTES = 8_000_000;

/** Errors of connections that were never opened, so the phone has nothing of the request. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const Failure = z.object({ message: z.string() });
const OTHER_DEVICE = /invalid device id/i;

interface PhoneRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** With its query. */
  path: string;
  body?: unknown;
  signal?: AbortSignal;
}

interface PhoneAnswer {
  status: number;
  /** null where there is no JSON. */
  body: unknown;
  /** The header X-Total-Count: the length of the whole list; null without one. */
  total: number | null;
}

/**
 * Asks the phone. Resolves with answers of 200 to 299, and of 400, 404, 409 and 500, which mean different things to
 * different callers. Throws AdapterError: `line_down` if the phone can't be reached, refuses the password, is another
 * phone or no SMSGate, and `unknown_outcome` if its answer is lost.
 */
export async function askPhone(settings: AndroidSettings, request: PhoneRequest): Promise<PhoneAnswer> {
  const { statusCode, headers, body } = await call(settings, request);
  const text = await readText(body);
  const answer = { status: statusCode, body: parseJson(text), total: readTotal(headers["x-total-count"]) };
  if (statusCode === 401 || statusCode === 403) {
    throw new AdapterError("line_down", "the phone refused the username or the password");
  }
  if (statusCode === 400 && OTHER_DEVICE.test(reasonOf(answer))) {
    throw new AdapterError("line_down", "another phone, or a new installation of SMSGate, has this address");
  }
  const isKnown =
    (statusCode >= 200 && statusCode < 300) || [400, 404, 409].includes(statusCode) || statusCode >= 500;
  if (!isKnown) {
    throw new AdapterError("line_down", `the address is not that of SMSGate: status ${statusCode}`);
  }
  return answer;
}

/** Asks for something that the phone has, and parses it. Throws AdapterError. */
export async function readPhone<Schema extends z.ZodType>(
  settings: AndroidSettings,
  schema: Schema,
  request: PhoneRequest,
): Promise<{ found: z.infer<Schema>; total: number | null }> {
  const answer = await askPhone(settings, request);
  if (answer.status >= 300) throw failureOf(answer);
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success) throw new AdapterError("unknown_outcome", "the answer of the phone can't be read");
  return { found: parsed.data, total: answer.total };
}

/** Opens the body of a file. Throws AdapterError, of kind `rejected` for one that the phone no longer has. */
export async function openPhoneFile(
  settings: AndroidSettings,
  request: PhoneRequest,
): Promise<AsyncIterable<Uint8Array>> {
  const { statusCode, body } = await call(settings, request);
  if (statusCode === 200) return body;
  await body.dump().catch(() => undefined);
  const kind = statusCode === 404 ? "rejected" : "rate_limited";
  throw new AdapterError(kind, `the file could not be read: status ${statusCode}`);
}

/** The error of an answer that refuses: of kind `unknown_outcome` if the phone failed while it acted. */
export function failureOf(answer: PhoneAnswer): AdapterError {
  const { status } = answer;
  if (status >= 500) return new AdapterError("unknown_outcome", `the phone failed: ${reasonOf(answer)}`);
  if (status === 404) return new AdapterError("line_down", "the address is not that of SMSGate: status 404");
  return new AdapterError("rejected", `the phone refused the message: ${reasonOf(answer)}`);
}

function reasonOf({ status, body }: PhoneAnswer): string {
  return Failure.safeParse(body).data?.message ?? `status ${status}`;
}

async function call(
  settings: AndroidSettings,
  { method = "GET", path, body, signal }: PhoneRequest,
): Promise<Dispatcher.ResponseData> {
  const url = new URL(`${settings.base_url.replace(/\/+$/, "")}${path}`);
  if (!mayCallVendor(url)) {
    throw new AdapterError("line_down", `${url.host} is not allowed: name it in TRANSPORT_ALLOW_PRIVATE`);
  }
  const limit = AbortSignal.timeout(RESPONSE_MS);
  try {
    return await vendorAgent().request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString("base64")}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        accept: "application/json",
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    if (error instanceof BlockedTarget || NOT_CONNECTED.has(codeOf(error))) {
      throw new AdapterError("line_down", `the phone can't be reached: ${messageOf(error)}`);
    }
    throw new AdapterError("unknown_outcome", `the phone did not respond: ${messageOf(error)}`);
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      // Leaving the loop closes the connection.
      if (bytes > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new AdapterError("unknown_outcome", `the phone did not respond: ${messageOf(error)}`);
  }
  if (bytes > MAX_ANSWER_BYTES)
    throw new AdapterError("line_down", "the answer of the phone is larger than 8 MB");
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readTotal(header: string | string[] | undefined): number | null {
  return typeof header === "string" && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
