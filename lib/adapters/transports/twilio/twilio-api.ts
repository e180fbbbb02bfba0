import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { isOptOut, toTwilioError } from "@/lib/adapters/transports/twilio/twilio-errors";
import type { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { mayCallVendor, vendorAgent } from "@/lib/adapters/transports/vendor-network";
import { BlockedTarget } from "@/lib/platform/guarded-connector";

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

const Sent = z.object({ sid: z.string().min(1) });
const Failure = z.object({ code: z.number().int(), message: z.string() });

/** The recipient opted out at the carrier or at Twilio. */
export class OptedOut extends AdapterError {}

/**
 * Creates a message and returns its SID. Throws AdapterError, of the class OptedOut for a recipient who opted out, of
 * kind `unknown_outcome` if Twilio may have the message.
 */
export async function createMessage(settings: TwilioSettings, form: URLSearchParams): Promise<string> {
  const response = await request(settings, "POST", "/Messages.json", form.toString());
  const body: unknown = await response.body.json().catch(() => null);
  const sent = Sent.safeParse(body);
  if (response.statusCode < 300 && sent.success) return sent.data.sid;
  throw failureOf(response.statusCode, body);
}

/** Checks the connection and the credentials. Throws AdapterError. */
export async function checkAccount(settings: TwilioSettings): Promise<void> {
  const response = await request(settings, "GET", ".json", null);
  const body: unknown = await response.body.json().catch(() => null);
  if (response.statusCode >= 300) throw failureOf(response.statusCode, body);
}

/**
 * Opens a file of an inbound message. The credentials go only to the API's own host: Twilio redirects to a signed URL
 * of its storage. Throws AdapterError.
 */
export async function openMedia(settings: TwilioSettings, url: string): Promise<AsyncIterable<Uint8Array>> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    requireAllowed(target);
    const isOwn = target.origin === new URL(settings.base_url).origin;
    const { statusCode, headers, body } = await vendorAgent().request({
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      method: "GET",
      headers: isOwn ? { authorization: authorizationOf(settings) } : {},
      signal: AbortSignal.timeout(RESPONSE_MS),
    });
    if (statusCode < 300) return body;
    await body.dump();
    const { location } = headers;
    if (statusCode >= 400 || typeof location !== "string") {
      throw new AdapterError("rejected", `the file could not be downloaded: status ${statusCode}`);
    }
    target = new URL(location, target);
  }
  throw new AdapterError("rejected", "the file could not be downloaded: too many redirects");
}

async function request(settings: TwilioSettings, method: "GET" | "POST", path: string, body: string | null) {
  const url = new URL(`${settings.base_url}/2010-04-01/Accounts/${settings.account_sid}${path}`);
  requireAllowed(url);
  try {
    return await vendorAgent().request({
      origin: url.origin,
      path: url.pathname,
      method,
      body,
      headers: {
        authorization: authorizationOf(settings),
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      signal: AbortSignal.timeout(RESPONSE_MS),
    });
  } catch (error) {
    if (error instanceof BlockedTarget || NOT_CONNECTED.has(codeOf(error))) {
      throw new AdapterError("line_down", `Twilio can't be reached: ${messageOf(error)}`);
    }
    throw new AdapterError("unknown_outcome", `Twilio did not respond: ${messageOf(error)}`);
  }
}

function requireAllowed(url: URL): void {
  if (!mayCallVendor(url)) throw new AdapterError("line_down", `${url.host} is not allowed: use https`);
}

function failureOf(status: number, body: unknown): AdapterError {
  if (status >= 500) return new AdapterError("unknown_outcome", `Twilio responded with status ${status}`);
  const failure = Failure.safeParse(body);
  const { code, message } = failure.success ? failure.data : { code: status, message: `status ${status}` };
  const otherwise =
    status === 401 || status === 403 ? "line_down" : status === 429 ? "rate_limited" : "rejected";
  const error = toTwilioError(code, { message, otherwise });
  return isOptOut(code) ? new OptedOut(error.kind, error.message) : error;
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
