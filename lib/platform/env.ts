import "server-only";
import { z } from "zod";
import { isProxySetting } from "@/lib/platform/client-address";
import { RetryLadder } from "@/lib/platform/retry-ladder";

const flag = z
  .enum(["0", "1", "true", "false", ""])
  .default("0")
  .transform((value) => value === "1" || value === "true");

const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

/** Whether a HOST is reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

const Env = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  HOST: z.string().default("localhost"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  DATA_DIR: z.string().default(".data"),
  /** An S3 bucket for files, instead of DATA_DIR: with a name the keys are needed too. */
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default("us-east-1"),
  /** Of another provider than AWS. */
  S3_ENDPOINT: z.url().optional(),
  /** Addresses as endpoint/bucket/key, instead of bucket.endpoint/key. */
  S3_PATH_STYLE: flag,
  DATABASE_URL: z.string().url(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(6),
  /** How long one statement of a request may take before the request is answered with 503/4004. */
  DATABASE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(5),
  /** How long a stop may take before the process ends with what is left undone. */
  SHUTDOWN_SECONDS: z.coerce.number().int().min(1).max(600).default(25),
  /** 32 bytes in base64, optionally `keyid:key` pairs separated by commas; the first seals, all open. */
  ENCRYPTION_KEY: z.string().min(1),
  ROLE: z.enum(["web", "worker", "all"]).default("all"),
  BASE_URL: z.url().optional(),
  CDN_URL: z.url().optional(),
  CHECKOUT_URL: z.url().optional(),
  DASHBOARD_URL: z.url().optional(),
  DOCS_URL: z.url().optional(),
  /** Hosts and CIDRs webhooks may reach although they are private. */
  WEBHOOK_ALLOW_PRIVATE: list,
  /**
   * Lets webhooks of sandbox accounts reach this machine. Set by a start on the embedded database with a loopback HOST and
   * no WEBHOOK_ALLOW_PRIVATE, so that a first receiver works.
   */
  WEBHOOK_SANDBOX_LOOPBACK: flag,
  /** Hosts and CIDRs media may be downloaded from although they are private; hosts named here also over http. */
  MEDIA_ALLOW_PRIVATE: list,
  /** Lets a sandbox token move the platform clock through /simulator/clock. Never in production. */
  CLOCK_CONTROL: flag,
  /** Hands the API's routes to Next instead of answering them before it: to compare the two. */
  API_THROUGH_NEXT: flag,
  /** Makes the demo account when there is no partner yet, also on a database of yours or with a public HOST. */
  SEED_DEMO: flag,
  /** How many programs of an account may follow its events at a time, in each process. */
  STREAMS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(100),
  /** Open connections of one client address, in each process; 0 = no limit. */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).default(1000),
  /** Webhook subscriptions of one account. */
  SUBSCRIPTIONS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(500),
  /** The waits between the attempts of a webhook delivery, in seconds. */
  WEBHOOK_RETRY_SECONDS: RetryLadder,
  /** Requests a minute of one token, where its account has no limit of its own; 0 = no limit. */
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).max(10_000_000).default(60_000),
  /** The daily cap a new sandbox account gets, and how many messages in 60 s any account may send from a line to a recipient; 0 = no limit. */
  SANDBOX_DAILY_MESSAGES: z.coerce.number().int().min(0).max(10_000_000).default(100),
  PAIR_MESSAGES: z.coerce.number().int().min(0).max(10_000_000).default(30),
  /** One-time codes of all customers together that an account may send in an hour. */
  CODES_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(200),
  /** How long answered requests stay in the request log; 0 logs none. */
  REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  /** How long events, their deliveries and attempts are kept. */
  EVENT_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /** How long an expired sandbox account can still be extended, before it is deleted; 0 keeps it for ever. */
  EXPIRED_SANDBOX_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  /** Megabytes of files an account may store, where it has no limit of its own; 0 = no limit. */
  STORAGE_PER_ACCOUNT_MB: z.coerce.number().int().min(0).max(10_000_000).default(0),
  /** Megabytes that uploads leave free on the disk of DATA_DIR; 0 = none. */
  DISK_RESERVE_MB: z.coerce.number().int().min(0).max(10_000_000).default(512),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** Card processor Stripe: the platform's own keys. Without a secret key no account can connect it. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_CLIENT_ID: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** Of the endpoints at /inbound/stripe/issuing: that of the authorizations, and that of all else. */
  STRIPE_ISSUING_WEBHOOK_SECRETS: list,
  /** A stand-in for Stripe's API, for tests: on this machine alone. */
  STRIPE_API_URL: z
    .url()
    .refine(isLoopback, "must be a local test server: http://127.0.0.1:<port>")
    .optional(),
  /** How long one request to Stripe may take. */
  STRIPE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(80).default(10),
  /** Content of /.well-known/apple-developer-merchantid-domain-association. */
  APPLE_PAY_DOMAIN_ASSOCIATION: z.string().min(1).optional(),
  /** App clips that open checkout links, as TEAMID.bundle.id. */
  APPLE_APP_CLIP_IDS: list,
  /** How old a dashboard session may become, and how long it may stay unused, before its user signs in again. */
  SESSION_HOURS: z.coerce.number().int().min(1).max(720).default(12),
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(43_200).default(120),
  /** The reverse proxies whose X-Forwarded-For is believed: how many, or their addresses as CIDRs; empty = none. */
  TRUST_PROXY: z
    .string()
    .trim()
    .default("")
    .refine(
      isProxySetting,
      "must be a number of proxies such as 1, or IP addresses and CIDRs such as 10.0.0.0/8,::1",
    ),
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default("single sign-on"),
});

type Env = z.infer<typeof Env>;

// Shared by every copy of this module that the process loads, so that all of them reload at once.
const shared = globalThis as typeof globalThis & { trunklineEnv?: Env | undefined };

/** The process's configuration. Parsed at first use, so a build needs none. Throws a readable list of what is wrong. */
export function env(): Env {
  shared.trunklineEnv ??= parseEnv(process.env);
  return shared.trunklineEnv;
}

/** Parses the configuration anew at its next use: test files set variables of their own. */
export function reloadEnv(): void {
  shared.trunklineEnv = undefined;
}

/** `make`, whose result is kept for as long as the configuration it was made from. */
export function memoizePerEnv<Result>(make: () => Result): () => Result {
  let made: { from: Env; result: Result } | undefined;
  return () => {
    const current = env();
    if (made?.from !== current) made = { from: current, result: make() };
    return made.result;
  };
}

function parseEnv(source: NodeJS.ProcessEnv): Env {
  const result = Env.safeParse(source);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The configuration is invalid:\n${wrong.join("\n")}`);
}

/** Where clients reach this instance, without a trailing slash. The other addresses default to it (contract.md 0). */
export function baseUrl(): string {
  return withoutSlash(env().BASE_URL ?? `http://${env().HOST}:${env().PORT}`);
}

/** Where people reach the dashboard. */
export function dashboardUrl(): string {
  return withoutSlash(env().DASHBOARD_URL ?? baseUrl());
}

/** Where all files are served: the one host clients allow (partner-api.md, Attachment resources). */
export function cdnUrl(): string {
  return withoutSlash(env().CDN_URL ?? baseUrl());
}

/** Where payers reach the hosted checkout. */
export function checkoutUrl(): string {
  return withoutSlash(env().CHECKOUT_URL ?? baseUrl());
}

export function docsUrl(): string {
  return withoutSlash(env().DOCS_URL ?? `${baseUrl()}/docs`);
}

/** The hosts this instance is reached at. */
export function ownHosts(): string[] {
  const addresses = [baseUrl(), cdnUrl(), checkoutUrl(), dashboardUrl(), docsUrl()];
  return [...new Set(addresses.map((own) => new URL(own).host))];
}

/** Whether a URL leads to this instance: such URLs are resolved inside, never fetched (contract.md 0). */
export function isOwnUrl(url: URL): boolean {
  return ownHosts().includes(url.host);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
