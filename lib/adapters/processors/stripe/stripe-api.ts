import "server-only";
import Stripe from "stripe";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import { env, memoizePerEnv } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

let client: { url: string | undefined; key: string; api: Stripe } | undefined;

/** Returns a Stripe client with the platform's key. Throws `rejected` when no key is set. */
export function stripeApi(): Stripe {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL: url } = env();
  if (key === undefined) throw new AdapterError("rejected", "STRIPE_SECRET_KEY is not set");
  if (client?.key !== key || client.url !== url) client = { url, key, api: new Stripe(key, optionsOf(url)) };
  return client.api;
}

/** Returns a Stripe setting. Throws `rejected` when it is not set. */
export function stripeSetting(
  name: "STRIPE_PUBLISHABLE_KEY" | "STRIPE_CLIENT_ID" | "STRIPE_WEBHOOK_SECRET",
): string {
  const value = env()[name];
  if (value === undefined) throw new AdapterError("rejected", `${name} is not set`);
  return value;
}

/** Returns the first missing setting for Stripe's webhooks, or null when all are set. */
export function missingForWebhooks(): string | null {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = env();
  if (STRIPE_SECRET_KEY === undefined) return "STRIPE_SECRET_KEY";
  return STRIPE_WEBHOOK_SECRET === undefined ? "STRIPE_WEBHOOK_SECRET" : null;
}

/** Whether the platform's key is a live key. null without a key. */
function isLiveKey(): boolean | null {
  const { STRIPE_SECRET_KEY: key } = env();
  return key === undefined ? null : /^[rs]k_live_/.test(key);
}

/** Why an account of this type can't use Stripe here: a sandbox requires a test key, and production a live key. */
export function findKeyModeError(accountType: "sandbox" | "production"): string | null {
  const isLive = isLiveKey();
  if (isLive === null)
    return "Stripe is not configured on this instance: ask the operator to set STRIPE_SECRET_KEY";
  if (accountType === "production" && !isLive) {
    return "a production account requires a live Stripe key, but this instance's STRIPE_SECRET_KEY is a test key";
  }
  if (accountType === "sandbox" && isLive) {
    return "a sandbox account requires a Stripe test key, but this instance's STRIPE_SECRET_KEY is a live key";
  }
  return null;
}

/** Returns the URL of Stripe's API for other programs, without a trailing slash. */
export function stripeUrl(): string {
  return (env().STRIPE_API_URL ?? "https://api.stripe.com").replace(/\/+$/, "");
}

/** The parts of an event that every event has. Ids are stored, so PostgreSQL must accept them. */
const SignedEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  account: z.string().max(255).nullish(),
  api_version: z.string().max(100).nullish(),
  data: z.object({ object: z.looseObject({}) }),
});

/**
 * Reads a Stripe webhook that was recently signed with one of these secrets. Throws SignatureRefused. Errors: body_invalid
 * for signed text that is no event.
 */
export function readStripeEvent(headers: Headers, text: string, secrets: readonly string[]): Stripe.Event {
  requireSignature(headers.get("stripe-signature") ?? "", text, secrets);
  const event = parseJson(text);
  const { success, data } = SignedEvent.safeParse(event);
  if (!success || /\\u0000/.test(text)) return fail("body_invalid", "the body is not an event of Stripe's");
  flagVersion(data.api_version ?? null);
  return event as Stripe.Event;
}

function requireSignature(signature: string, text: string, secrets: readonly string[]): void {
  let refusal = "no webhook secret is configured";
  for (const secret of secrets) {
    try {
      stripeApi().webhooks.constructEvent(text, signature, secret);
      return;
    } catch (error) {
      // The signature is checked first: any other error is about the signed text.
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return;
      refusal = error.message;
    }
  }
  throw new SignatureRefused(refusal);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Converts a signed event. Errors: body_invalid for an event without the fields of its type, which never gets better. */
export async function convertEvent<Notice>(convert: () => Promise<Notice>): Promise<Notice> {
  try {
    return await convert();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return fail("body_invalid", "the event lacks fields of its type");
  }
}

/** Requires an id of Stripe's. Throws TypeError. */
export function requireId(id: unknown): string {
  if (typeof id === "string" && id.length > 0 && id.length <= 255) return id;
  throw new TypeError("not an id of Stripe's");
}

const flagged = memoizePerEnv(() => new Set<string>());

// Objects of another major version may lack the fields that Trunkline reads. The endpoint's version is chosen when the
// endpoint is created, and docs/payments.md says which to choose.
function flagVersion(version: string | null): void {
  if (version === null || releaseOf(version) === releaseOf(Stripe.API_VERSION) || flagged().has(version))
    return;
  flagged().add(version);
  log.warn(
    { version, expected: Stripe.API_VERSION },
    "the Stripe webhook endpoint sends events of another API version: create it again with the expected version",
  );
}

/** The name of a major version: `endive` of 2026-10-28.endive. Versions before 2024-09-30 have only a date. */
function releaseOf(version: string): string {
  return version.split(".")[1] ?? version;
}

/** Returns Stripe's response, or throws its failure as an AdapterError. */
export async function callStripe<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw toAdapterError(error);
  }
}

/** The error for an account of the other mode, or one that disconnected Trunkline. It counts as missing. */
const NO_ACCOUNT = "account_invalid";
const MISSING: ReadonlySet<string> = new Set(["resource_missing", NO_ACCOUNT]);

/** As `callStripe`, but returns null when the object does not exist. */
export async function findAtStripe<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && MISSING.has(error.code ?? "")) return null;
    throw toAdapterError(error);
  }
}

/** Performs an operation that depends on the object's state. Returns false when Stripe rejects it. */
export async function tryAtStripe(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw toAdapterError(error);
  }
}

/** As `callStripe`, but returns null for the given OAuth error. */
export async function callStripeOAuth<Result>(
  refusal: "StripeInvalidGrantError" | "StripeInvalidClientError",
  call: Promise<Result>,
): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Stripe.errors[refusal]) return null;
    throw toAdapterError(error);
  }
}

/** More stored failures of one operation than occur in the day for which Stripe keeps a key. */
const MAX_KEYS = 20;

/**
 * Creates an object once, with an idempotency key. Stripe repeats a stored failure of a key for a day, and 5xx responses
 * too (docs.stripe.com/api/idempotent_requests). So after a repeated failure another key is used: at once if Stripe had
 * rejected the request, and after `find` found no object if the outcome was unknown. An unknown outcome is asked for once
 * more with the same key. Throws AdapterError.
 */
export async function createAtStripe<Made>(
  key: string,
  create: (options: Pick<Stripe.RequestOptions, "idempotencyKey" | "maxNetworkRetries">) => Promise<Made>,
  find: () => Promise<Made | null> = async () => null,
): Promise<Made> {
  let isRepeated = false;
  for (let failures = 0; ; ) {
    const idempotencyKey = failures === 0 ? key : `${key}:${failures}`;
    try {
      return await create({ idempotencyKey, maxNetworkRetries: 0 });
    } catch (error) {
      if (isStored(error) && failures < MAX_KEYS) {
        const made = isUnsettled(error) ? await callStripe(find()) : null;
        if (made !== null) return made;
        failures++;
      } else if (isUnsettled(error) && !isRepeated) isRepeated = true;
      else throw toAdapterError(error);
    }
  }
}

function isStored(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.headers?.["idempotent-replayed"] === "true";
}

/** Whether Stripe may have performed a request that failed: only a response below 500 says that it did not. */
function isUnsettled(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const { statusCode } = error;
  return statusCode === undefined || statusCode >= 500 || statusCode === 409;
}

/** Failures of a connection before the request was written. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH)$|CERT|^ERR_TLS|SELF_SIGNED/;

function wasSent({ detail }: { detail?: unknown }): boolean {
  const code = typeof detail === "object" && detail !== null && "code" in detail ? detail.code : "";
  return !UNSENT.test(String(code));
}

function optionsOf(url: string | undefined) {
  const timeout = env().STRIPE_TIMEOUT_SECONDS * 1000;
  const common = { maxNetworkRetries: 1, timeout, telemetry: false };
  if (url === undefined) return common;
  const { hostname, port, protocol } = new URL(url);
  return {
    ...common,
    host: hostname,
    port,
    protocol: protocol === "http:" ? ("http" as const) : ("https" as const),
  };
}

function toAdapterError(error: unknown): AdapterError {
  if (error instanceof AdapterError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return new AdapterError(wasSent(error) ? "unknown_outcome" : "not_reachable", message);
  }
  if (error instanceof Stripe.errors.StripeRateLimitError) return new AdapterError("rate_limited", message);
  if (error instanceof Stripe.errors.StripeError) {
    if (error.code === NO_ACCOUNT) return new AdapterError("no_account", message);
    return new AdapterError(isUnsettled(error) ? "unknown_outcome" : "rejected", message);
  }
  return new AdapterError("unknown_outcome", message);
}
