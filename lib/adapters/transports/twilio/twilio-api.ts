import "server-only";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { isOptOut, toTwilioError } from "@/lib/adapters/transports/twilio/twilio-errors";
import type { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { mayCallVendor, vendorAgent } from "@/lib/adapters/transports/vendor-network";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";
import { now } from "@/lib/platform/time/clock";

const RESPONSE_MS = 60_000;
const MAX_REDIRECTS = 3;

/** Errors of connections that were never opened, so Twilio has nothing of the request. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const MAX_RETRY_AFTER_MS = 10 * 60_000;

const Sent = z.object({ sid: z.string().min(1) });
const Failure = z.object({ code: z.coerce.number().int(), message: z.string().default("") });
const Account = z.object({ status: z.string().optional() });

/** The recipient opted out at the carrier or at Twilio. */
export class OptedOut extends AdapterError {}

/** Twilio answered that it failed. The message may have been created, and others would fail like it. */
export class TwilioFailed extends AdapterError {}

/**
 * Creates a message and returns its SID. Throws AdapterError, of the class OptedOut for a recipient who opted out, of
 * kind `unknown_outcome` if Twilio may have the message, then of the class TwilioFailed for a status of 500 and above.
 */
export async function createMessage(settings: TwilioSettings, form: URLSearchParams): Promise<string> {
  const response = await request(settings, "POST", "/Messages.json", form.toString());
  const body: unknown = await response.body.json().catch(() => null);
  if (response.statusCode >= 300) throw failureOf(response, body);
  const sent = Sent.safeParse(body);
  if (sent.success) return sent.data.sid;
  throw new AdapterError("unknown_outcome", "the response of Twilio can't be read");
}

/** Checks the connection, the credentials and the account. Throws AdapterError. */
export async function checkAccount(settings: TwilioSettings): Promise<void> {
  const response = await request(settings, "GET", ".json", null);
  const body: unknown = await response.body.json().catch(() => null);
  if (response.statusCode >= 300) throw failureOf(response, body);
  const status = Account.safeParse(body).data?.status;
  if (status === "suspended" || status === "closed") {
    throw new AdapterError("line_down", `the Twilio account is ${status}`);
  }
}

/**
 * Opens a file of an inbound message. The credentials go only to the API's own host: Twilio redirects to a signed URL
 * of its storage. Throws AdapterError: `rejected` for a file that Twilio no longer has.
 */
export async function openMedia(
  settings: TwilioSettings,
  url: string,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const isOwn = target.origin === new URL(settings.base_url).origin;
    const { statusCode, headers, body } = await call(target, {
      method: "GET",
      headers: isOwn ? { authorization: authorizationOf(settings) } : {},
      body: null,
      ...(signal !== undefined && { signal }),
    });
    if (statusCode < 300) return body;
    await body.dump().catch(() => undefined);
    const { location } = headers;
    if (statusCode >= 400 || typeof location !== "string" || !URL.canParse(location, target.href)) {
      const kind = statusCode === 410 ? "rejected" : "rate_limited";
      throw new AdapterError(kind, `the file could not be downloaded: status ${statusCode}`);
    }
    target = new URL(location, target);
  }
  throw new AdapterError("rejected", "the file could not be downloaded: too many redirects");
}

async function request(settings: TwilioSettings, method: "GET" | "POST", path: string, body: string | null) {
  const url = new URL(`${settings.base_url}/2010-04-01/Accounts/${settings.account_sid}${path}`);
  return call(url, {
    method,
    body,
    headers: {
      authorization: authorizationOf(settings),
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
    },
  });
}

interface RawRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | null;
  signal?: AbortSignal;
}

async function call(
  url: URL,
  { method, headers, body, signal }: RawRequest,
): Promise<Dispatcher.ResponseData> {
  if (!mayCallVendor(url)) throw new AdapterError("line_down", `${url.host} is not allowed: use https`);
  const limit = AbortSignal.timeout(RESPONSE_MS);
  try {
    return await vendorAgent().request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      body,
      headers,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    if (error instanceof BlockedTarget || NOT_CONNECTED.has(codeOf(error))) {
      throw new AdapterError("line_down", `Twilio can't be reached: ${messageOf(error)}`);
    }
    throw new AdapterError("unknown_outcome", `Twilio did not respond: ${messageOf(error)}`);
  }
}

/** A redirect, or a resource that does not exist, means that the URL or the account of the line is wrong. */
function kindOf(status: number): AdapterErrorKind {
  if (status === 408) return "unknown_outcome";
  if (status === 429) return "rate_limited";
  return status < 400 || [401, 403, 404, 407].includes(status) ? "line_down" : "rejected";
}

function failureOf({ statusCode, headers }: Dispatcher.ResponseData, body: unknown): AdapterError {
  if (statusCode >= 500) {
    return new TwilioFailed("unknown_outcome", `Twilio responded with status ${statusCode}`);
  }
  const failure = Failure.safeParse(body);
  const { code, message } = failure.success
    ? failure.data
    : { code: statusCode, message: `status ${statusCode}` };
  const retryAfterMs = readRetryAfter(headers["retry-after"]);
  const error = toTwilioError(code, { message, otherwise: kindOf(statusCode), retryAfterMs });
  return isOptOut(code) ? new OptedOut(error.kind, error.message) : error;
}

/** The pause of a Retry-After header: seconds, or the time of the next attempt. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now().getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : undefined;
}

function authorizationOf({ account_sid, auth_token }: TwilioSettings): string {
  return `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString("base64")}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
