import "server-only";
import Stripe from "stripe";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import { env } from "@/lib/platform/env";

let client: { url: string | undefined; key: string; api: Stripe } | undefined;

/** Stripe's API with the platform's key. Throws `rejected` when none is set. */
export function stripeApi(): Stripe {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL: url } = env();
  if (key === undefined) throw new AdapterError("rejected", "STRIPE_SECRET_KEY is not set");
  if (client?.key !== key || client.url !== url) client = { url, key, api: new Stripe(key, optionsOf(url)) };
  return client.api;
}

/** A setting of Stripe's. Throws `rejected` when it is not there. */
export function stripeSetting(
  name: "STRIPE_PUBLISHABLE_KEY" | "STRIPE_CLIENT_ID" | "STRIPE_WEBHOOK_SECRET",
): string {
  const value = env()[name];
  if (value === undefined) throw new AdapterError("rejected", `${name} is not set`);
  return value;
}

/** The first setting that Stripe's webhooks need and that is not set; null when all are. */
export function missingForWebhooks(): string | null {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = env();
  if (STRIPE_SECRET_KEY === undefined) return "STRIPE_SECRET_KEY";
  return STRIPE_WEBHOOK_SECRET === undefined ? "STRIPE_WEBHOOK_SECRET" : null;
}

/** Whether money moves with the platform's key; null without one. */
function isLiveKey(): boolean | null {
  const { STRIPE_SECRET_KEY: key } = env();
  return key === undefined ? null : /^[rs]k_live_/.test(key);
}

/** Why an account of this type has no Stripe here: a sandbox never moves money, and production never pretends to. */
export function refuseMode(accountType: "sandbox" | "production"): string | null {
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

/** The URL of Stripe's API for other programs, without a trailing slash. */
export function stripeUrl(): string {
  return (env().STRIPE_API_URL ?? "https://api.stripe.com").replace(/\/+$/, "");
}

/** A webhook of Stripe's that was signed lately with one of these secrets. Throws SignatureRefused. */
export function readStripeEvent(headers: Headers, text: string, secrets: readonly string[]): Stripe.Event {
  const signature = headers.get("stripe-signature") ?? "";
  let refusal = "no webhook secret is configured";
  for (const secret of secrets) {
    try {
      return stripeApi().webhooks.constructEvent(text, signature, secret);
    } catch (error) {
      refusal = error instanceof Error ? error.message : "";
    }
  }
  throw new SignatureRefused(refusal);
}

/** Returns Stripe's response, or throws its failure as an AdapterError. */
export async function callStripe<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw toAdapterError(error);
  }
}

/** An account of another mode than the key's, or one that disconnected us, is as good as none. */
const NO_ACCOUNT = "account_invalid";
const MISSING: ReadonlySet<string> = new Set(["resource_missing", NO_ACCOUNT]);

/** As `callStripe`; null when there is no such object. */
export async function findAtStripe<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && MISSING.has(error.code ?? "")) return null;
    throw toAdapterError(error);
  }
}

/** Does something that only an unpaid object lets be done; false when its state does not allow it. */
export async function tryAtStripe(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw toAdapterError(error);
  }
}

/** As `callStripe`; null when OAuth refuses so. */
export async function unlessOAuth<Result>(
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
    return new AdapterError(/timeout/i.test(message) ? "unknown_outcome" : "not_reachable", message);
  }
  if (error instanceof Stripe.errors.StripeRateLimitError) return new AdapterError("rate_limited", message);
  if (error instanceof Stripe.errors.StripeError) {
    return new AdapterError(error.code === NO_ACCOUNT ? "no_account" : "rejected", message);
  }
  return new AdapterError("unknown_outcome", message);
}
