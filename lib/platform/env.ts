import "server-only";
import { z } from "zod";
import { isProxySetting } from "@/lib/platform/client-address";
import { isSender, isSmtpUrl } from "@/lib/platform/mail-settings";
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

/** Whether a HOST is reachable only from this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

/** A setting that is on unless it is turned off. */
const onByDefault = z
  .enum(["on", "off", "1", "0", "true", "false", ""])
  .default("on")
  .transform((value) => !["off", "0", "false"].includes(value));

function isHeaderList(text: string): boolean {
  return text === "" || text.split(",").every((pair) => /^\s*[\w-]+=(?:[^%,]|%[0-9A-Fa-f]{2})*$/.test(pair));
}

const Env = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  /** A name or an IP address; IPv6 with or without brackets. */
  HOST: z
    .string()
    .default("localhost")
    .transform((host) => host.trim().replace(/^\[(.*)\]$/, "$1") || "localhost"),
  PORT: z.preprocess(
    (text) => (text === "" ? undefined : text),
    z.coerce
      .number("must be a port from 1 to 65535")
      .int("must be a port from 1 to 65535")
      .min(1, "must be a port from 1 to 65535")
      .max(65_535, "must be a port from 1 to 65535")
      .default(3000),
  ),
  DATA_DIR: z.string().default(".data"),
  /** An S3 bucket for files, instead of DATA_DIR. A bucket name requires the keys. */
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default("us-east-1"),
  /** The endpoint of a provider other than AWS. */
  S3_ENDPOINT: z.url().optional(),
  /** Uses URLs of the form endpoint/bucket/key instead of bucket.endpoint/key. */
  S3_PATH_STYLE: flag,
  DATABASE_URL: z.string().url(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(6),
  /** Time limit for one statement of a request, after which the request fails with 503/4004. */
  DATABASE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(5),
  /** Time limit for a shutdown, after which the process exits with unfinished work. */
  SHUTDOWN_SECONDS: z.coerce.number().int().min(1).max(600).default(25),
  /**
   * The time after which another process takes over the webhooks of a process that died. Longer than an endpoint's time
   * to respond.
   */
  LEASE_SECONDS: z.coerce.number().int().min(11).max(600).default(30),
  /** 32 bytes in base64, or comma-separated `id:key` pairs. The first key seals, every key opens. */
  ENCRYPTION_KEY: z.string().min(1),
  ROLE: z.enum(["web", "worker", "all"]).default("all"),
  BASE_URL: z.url().optional(),
  CDN_URL: z.url().optional(),
  CHECKOUT_URL: z.url().optional(),
  DASHBOARD_URL: z.url().optional(),
  DOCS_URL: z.url().optional(),
  /** Private hosts and CIDRs that webhooks can reach. */
  WEBHOOK_ALLOW_PRIVATE: list,
  /**
   * Lets webhooks of sandbox accounts reach this machine. On by default with the embedded database, a loopback HOST
   * and no WEBHOOK_ALLOW_PRIVATE, so that a first receiver works.
   */
  WEBHOOK_SANDBOX_LOOPBACK: flag,
  /** Private hosts and CIDRs that media can be downloaded from. Hosts in this list can also use http. */
  MEDIA_ALLOW_PRIVATE: list,
  /** Private hosts and CIDRs that lines can connect to: SMS centers and vendors' APIs. Hosts in this list can also use http. */
  TRANSPORT_ALLOW_PRIVATE: list,
  /** The program `imsg`, which lines with the transport imsg run on this machine or on a Mac over SSH. */
  IMSG_COMMAND: z.string().min(1).default("imsg"),
  /** Lets a sandbox token move the platform clock with /simulator/clock. Never in production. */
  CLOCK_CONTROL: flag,
  /** Serves /simulator, with which sandbox tokens control phones, faults and limits. */
  SIMULATOR: onByDefault,
  /** Serves the API's routes through Next instead of before Next, to compare the two. */
  API_THROUGH_NEXT: flag,
  /**
   * The pages of the dashboard and the docs: served, not served, or built in the background first (set by `npm start`
   * after an install or a change).
   */
  DASHBOARD: z.enum(["on", "off", "build"]).default("on"),
  /** Creates the demo account when there is no partner, even with your own database or a public HOST. */
  SEED_DEMO: flag,
  /** Concurrent event streams per account and process. */
  STREAMS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(100),
  /** Open connections per client IP address and process. 0 = no limit. */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).default(1000),
  /** Maximum number of webhook subscriptions per account. */
  SUBSCRIPTIONS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(500),
  /** The waits between the attempts of a webhook delivery, in seconds. */
  WEBHOOK_RETRY_SECONDS: RetryLadder,
  /** Requests per minute and token for accounts without their own limit. 0 = no limit. */
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).max(10_000_000).default(60_000),
  /**
   * Limits of new accounts: messages per day (sandbox), and messages per 60 s from a line to a recipient. 0 = no
   * limit.
   */
  SANDBOX_DAILY_MESSAGES: z.coerce.number().int().min(0).max(10_000_000).default(100),
  PAIR_MESSAGES: z.coerce.number().int().min(0).max(10_000_000).default(30),
  /** One-time codes per hour and account, for all customers together. */
  CODES_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(200),
  /** Days that requests stay in the request log. 0 = no requests are logged. */
  REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  /** Days that events, their deliveries and attempts are kept. */
  EVENT_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /** Days that an expired sandbox account can still be extended before it is deleted. 0 = never deleted. */
  EXPIRED_SANDBOX_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  /** Storage quota in megabytes for accounts without their own limit. 0 = no limit. */
  STORAGE_PER_ACCOUNT_MB: z.coerce.number().int().min(0).max(10_000_000).default(0),
  /** Megabytes that uploads keep free on the disk of DATA_DIR. 0 = no reserve. */
  DISK_RESERVE_MB: z.coerce.number().int().min(0).max(10_000_000).default(512),
  /** The folder of pg_dump and pg_restore, for backups of your own PostgreSQL. Without it, they are found in PATH. */
  PG_BIN: z.string().min(1).optional(),
  /** The folder of scheduled backups. Without it, none is made. */
  BACKUP_DIR: z.string().min(1).optional(),
  /** Hours between two scheduled backups, and the number of backups that are kept (0 = all). */
  BACKUP_HOURS: z.coerce.number().int().min(1).max(8760).default(24),
  BACKUP_KEEP: z.coerce.number().int().min(0).max(10_000).default(7),
  /** The bearer token of /metrics. Without it, only this machine can read metrics. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Another port for /metrics, /health and /ready, also of a process that serves no requests. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** The URL that gets the operator's alerts, and the secret (whsec_…) of their signature. */
  OPERATOR_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPERATOR_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be whsec_ and at least 24 bytes in base64")
    .optional(),
  /** Seconds after which the oldest due item of a queue is an alert. */
  ALERT_QUEUE_SECONDS: z.coerce.number().int().min(10).max(86_400).default(300),
  /** Hours after which the last backup is an alert. Default: one and a half times BACKUP_HOURS, with BACKUP_DIR. */
  ALERT_BACKUP_HOURS: z.coerce.number().min(1).max(8760).optional(),
  /** Free megabytes of a process's disk below which there is an alert. 0 = none. */
  ALERT_DISK_FREE_MB: z.coerce.number().int().min(0).max(10_000_000).default(1024),
  /** The mail server: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Without it, no mail is sent. */
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, "must be a URL such as smtp://user:password@mail.example.com:587")
    .optional(),
  /** The sender of mail, such as Trunkline <no-reply@example.com>. Required with SMTP_URL. */
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be an email address, such as Trunkline <no-reply@example.com>")
    .optional(),
  /** The OTLP/HTTP endpoint of a trace collector. /v1/traces is appended. Without it, no traces are exported. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Headers of its requests, as name=value,name=value with URL-encoded values. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default("").refine(isHeaderList, "must be name=value,name=value"),
  OTEL_SERVICE_NAME: z.string().min(1).default("trunkline"),
  /** The share of traces that are exported. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** The platform's own Stripe keys. Without a secret key no account can connect Stripe. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_CLIENT_ID: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** The secrets of the endpoints at /inbound/stripe/issuing: one for authorizations, one for all other events. */
  STRIPE_ISSUING_WEBHOOK_SECRETS: list,
  /** The URL of a fake Stripe API for tests. Only hosts on this machine are accepted. */
  STRIPE_API_URL: z
    .url()
    .refine(isLoopback, "must be a local test server: http://127.0.0.1:<port>")
    .optional(),
  /** Time limit for one request to Stripe. */
  STRIPE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(80).default(10),
  /**
   * Time limit for the decision on a card charge, after which the charge is declined. Providers decide on their own
   * after two seconds without a response, because merchants don't wait longer.
   */
  CHARGE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(1.5),
  /** Content of /.well-known/apple-developer-merchantid-domain-association. */
  APPLE_PAY_DOMAIN_ASSOCIATION: z.string().min(1).optional(),
  /** App clips that open checkout links, as TEAMID.bundle.id. */
  APPLE_APP_CLIP_IDS: list,
  /** Maximum age and maximum idle time of a dashboard session. */
  SESSION_HOURS: z.coerce.number().int().min(1).max(720).default(12),
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(43_200).default(120),
  /** The reverse proxies whose X-Forwarded-For is trusted: their number, or their addresses as CIDRs. Empty = none. */
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
  /** The scopes that a sign-in asks for. With `offline_access`, groups are read again during a session. */
  OIDC_SCOPE: z.string().min(1).default("openid email profile"),
  /** The claim with the groups of a person. */
  OIDC_GROUPS_CLAIM: z.string().min(1).default("groups"),
  /** Whether addresses count as verified that the provider says nothing about. */
  SSO_TRUST_EMAIL: flag,
  OIDC_NAME: z.string().default("single sign-on"),
});

const PATH_MESSAGE =
  "must be a URL without a path, such as https://trunkline.example.com: the dashboard, the docs and the checkout are served at the root of a host. Give Trunkline a host name of its own";

function isRootUrl(url: string | undefined): boolean {
  if (url === undefined) return true;
  const { pathname, search, hash } = new URL(url);
  return /^\/*$/.test(pathname) && search === "" && hash === "";
}

/** The host of URLs that lead to a HOST: IPv6 in brackets, and this machine for all addresses at once. */
export function linkHost(host: string): string {
  if (isAnyHost(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** Whether a HOST stands for all addresses of the machine. */
export function isAnyHost(host: string): boolean {
  return ["0.0.0.0", "::", "::0", "0"].includes(host);
}

const CheckedEnv = Env.refine(
  ({ OPERATOR_WEBHOOK_URL, OPERATOR_WEBHOOK_SECRET }) =>
    OPERATOR_WEBHOOK_URL === undefined || OPERATOR_WEBHOOK_SECRET !== undefined,
  { path: ["OPERATOR_WEBHOOK_SECRET"], message: "is required with OPERATOR_WEBHOOK_URL" },
)
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
    path: ["MAIL_FROM"],
    message: "is required with SMTP_URL: the sender, such as Trunkline <no-reply@example.com>",
  })
  .refine(({ HOST, BASE_URL }) => BASE_URL !== undefined || URL.canParse(`http://${linkHost(HOST)}`), {
    path: ["HOST"],
    message: "must be a host name or an IP address. With an address that no URL can have, set BASE_URL",
  })
  .refine(({ BASE_URL, DASHBOARD }) => DASHBOARD === "off" || isRootUrl(BASE_URL), {
    path: ["BASE_URL"],
    message: PATH_MESSAGE,
  })
  .refine(({ DASHBOARD_URL }) => isRootUrl(DASHBOARD_URL), {
    path: ["DASHBOARD_URL"],
    message: PATH_MESSAGE,
  });

type Env = z.infer<typeof Env>;

// Shared by every copy of this module in the process, so that all copies reload together.
const shared = globalThis as typeof globalThis & { trunklineEnv?: Env | undefined };

/** The process's configuration. Parsed at first use, so a build needs none. Throws a readable list of errors. */
export function env(): Env {
  shared.trunklineEnv ??= parseEnv(process.env);
  return shared.trunklineEnv;
}

/**
 * Throws the errors of `env()` before the database and its key are known, so that a start with a wrong setting names it and
 * creates nothing. These two have checks of their own.
 */
export function requireValidSettings(source: NodeJS.ProcessEnv): void {
  parseEnv({ ...source, DATABASE_URL: "postgresql://localhost/trunkline", ENCRYPTION_KEY: "checked later" });
}

/** The configuration of a command that runs without the instance's database, and so without its encryption key. */
export const envWithoutDatabase = () =>
  Env.partial({ DATABASE_URL: true, ENCRYPTION_KEY: true }).parse(process.env);

/** Parses the configuration again at its next use, because each test file sets its own variables. */
export function reloadEnv(): void {
  shared.trunklineEnv = undefined;
}

/** This process's environment with more variables, for a program that it starts. */
export function childEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** Caches the result of `make` until the configuration changes. */
export function memoizePerEnv<Result>(make: () => Result): () => Result {
  let cached: { from: Env; result: Result } | undefined;
  return () => {
    const current = env();
    if (cached?.from !== current) cached = { from: current, result: make() };
    return cached.result;
  };
}

function parseEnv(source: NodeJS.ProcessEnv): Env {
  const result = CheckedEnv.safeParse(source);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The configuration is invalid:\n${wrong.join("\n")}`);
}

/** Returns the URL that clients use, without a trailing slash. The other URLs default to it (contract.md 0). */
export function baseUrl(): string {
  return withoutSlash(env().BASE_URL ?? `http://${linkHost(env().HOST)}:${env().PORT}`);
}

/** Returns the URL of the dashboard. */
export function dashboardUrl(): string {
  return withoutSlash(env().DASHBOARD_URL ?? baseUrl());
}

/**
 * Returns the URL that serves all files: the only file host that clients allow (partner-api.md, Attachment
 * resources).
 */
export function cdnUrl(): string {
  return withoutSlash(env().CDN_URL ?? baseUrl());
}

/** Returns the URL of the hosted checkout. */
export function checkoutUrl(): string {
  return withoutSlash(env().CHECKOUT_URL ?? baseUrl());
}

export function docsUrl(): string {
  return withoutSlash(env().DOCS_URL ?? `${baseUrl()}/docs`);
}

/** The hosts of this instance's URLs. */
export function ownHosts(): string[] {
  const addresses = [baseUrl(), cdnUrl(), checkoutUrl(), dashboardUrl(), docsUrl()];
  return [...new Set(addresses.map((own) => new URL(own).host))];
}

/** Whether a URL points to this instance. Such URLs are resolved in the process, never fetched (contract.md 0). */
export function isOwnUrl(url: URL): boolean {
  return ownHosts().includes(url.host);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
