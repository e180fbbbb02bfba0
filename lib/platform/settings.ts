import "server-only";
import { z } from "zod";
import { isProxySetting } from "@/lib/platform/http/client-address";
import { isLoopbackHost } from "@/lib/platform/is-loopback-host";
import { isSender, isSmtpUrl } from "@/lib/platform/text/mail-settings";
import { RetryLadder } from "@/lib/platform/time/retry-ladder";

const flag = z
  .enum(["0", "1", "true", "false", ""])
  .default("0")
  .transform((value) => value === "1" || value === "true");

/** A setting that is on unless it is turned off. */
const onByDefault = z
  .enum(["on", "off", "1", "0", "true", "false", ""])
  .default("on")
  .transform((value) => !["off", "0", "false"].includes(value));

const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

const PORT_MESSAGE = "must be a port from 1 to 65535";

function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

function isHeaderList(text: string): boolean {
  return text === "" || text.split(",").every((pair) => /^\s*[\w-]+=(?:[^%,]|%[0-9A-Fa-f]{2})*$/.test(pair));
}

/**
 * The settings of an instance. `docs/settings.md` is generated from this object, in its order: `group`, `description`
 * (Markdown), `unit` of a number, `preset` (the default in words, if the schema has none), and `isCommon` of the ten
 * that the README lists.
 */
export const Settings = z.object({
  HOST: z
    .string()
    .default("localhost")
    .transform((host) => host.trim().replace(/^\[(.*)\]$/, "$1") || "localhost")
    .meta({
      group: "start",
      isCommon: true,
      description:
        "The host name or IP address that Trunkline listens on. IPv6 works with or without brackets. For `0.0.0.0` or `::`, set `BASE_URL` too.",
    }),
  PORT: z
    .preprocess(
      (text) => (text === "" ? undefined : text),
      z.coerce
        .number(PORT_MESSAGE)
        .int(PORT_MESSAGE)
        .min(1, PORT_MESSAGE)
        .max(65_535, PORT_MESSAGE)
        .default(3000),
    )
    .meta({ group: "start", isCommon: true, unit: "", description: "The port that Trunkline listens on." }),
  BASE_URL: z.url().optional().meta({
    group: "start",
    isCommon: true,
    preset: "`http://HOST:PORT`",
    description: "The URL that clients use. Without a path, except with `DASHBOARD=off`.",
  }),
  CDN_URL: z.url().optional().meta({
    group: "start",
    preset: "`BASE_URL`",
    description: "The URL that serves all files. See [separate hosts](hardening.md#separate-hosts).",
  }),
  CHECKOUT_URL: z.url().optional().meta({
    group: "start",
    preset: "`BASE_URL`",
    description: "The URL of the hosted checkout.",
  }),
  DASHBOARD_URL: z.url().optional().meta({
    group: "start",
    preset: "`BASE_URL`",
    description: "The URL of the dashboard. Without a path.",
  }),
  DOCS_URL: z.url().optional().meta({
    group: "start",
    preset: "`BASE_URL/docs`",
    description: "The URL of the documentation.",
  }),
  DATA_DIR: z.string().default(".data").meta({
    group: "start",
    isCommon: true,
    description:
      "The directory of the embedded database, the encryption key, `first-run.json` and, without a bucket, the files.",
  }),
  ENCRYPTION_KEY: z.string().min(1).meta({
    group: "start",
    isCommon: true,
    preset: "generated on the first start",
    description:
      "32 bytes in base64 (`openssl rand -base64 32`). To rotate the key, set comma-separated `id:key` pairs and run `npm run admin -- reseal`: the first key encrypts, every key decrypts. Trunkline does not start with a key that can't decrypt the stored secrets.",
  }),
  TRUST_PROXY: z
    .string()
    .trim()
    .default("")
    .refine(
      isProxySetting,
      "must be a number of proxies such as 1, or IP addresses and CIDRs such as 10.0.0.0/8,::1",
    )
    .meta({
      group: "start",
      isCommon: true,
      description:
        "The reverse proxies whose `X-Forwarded-For` header is trusted: their number (`1`) or their IP addresses and CIDRs (`10.0.0.0/8,::1`). Required behind a proxy, otherwise all clients share the proxy's address.",
    }),
  ROLE: z.enum(["web", "worker", "all"]).default("all").meta({
    group: "start",
    description:
      "`web` serves requests, `worker` sends messages and delivers webhooks. Any number of each can share one database ([scaling](scaling.md)).",
  }),
  DASHBOARD: z.enum(["on", "off", "build"]).default("on").meta({
    group: "start",
    description:
      "`off` serves the API, the simulator and the checkout without the pages of the dashboard and the docs. `npm start` sets `build` after an install or a change: the pages are then built in the background.",
  }),
  SIMULATOR: onByDefault.meta({
    group: "start",
    description:
      "`off` removes `/simulator`, with which sandbox tokens control simulated phones, faults and limits.",
  }),
  SEED_DEMO: flag.meta({
    group: "start",
    description:
      "`1` creates the demo account if there is no partner, even with your own database or a `HOST` that other machines can reach.",
  }),
  SHUTDOWN_SECONDS: z.coerce.number().int().min(1).max(600).default(25).meta({
    group: "start",
    unit: "seconds",
    description: "Time limit for a graceful shutdown, after which the process exits with unfinished work.",
  }),

  DATABASE_URL: z.string().url().meta({
    group: "database",
    isCommon: true,
    preset: "the embedded database",
    description: "The URL of your own PostgreSQL, 15 or newer; requires `ENCRYPTION_KEY`.",
  }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(6).meta({
    group: "database",
    unit: "connections",
    description:
      "Database connections per process for requests and queues. A third, rounded up, serves lists and pages, and the rest serves sends and deliveries. Background work, LISTEN and `/ready` use up to 4 more.",
  }),
  DATABASE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(5).meta({
    group: "database",
    unit: "seconds",
    description:
      "Time limit for one statement of a request, after which the request fails with 503/4004. Background jobs, searches and migrations have their own limits.",
  }),
  REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(3650).default(30).meta({
    group: "database",
    unit: "days",
    description:
      "Days that logged requests are kept. Retention drops them in parts of a tenth of this period, at least a day, so they are kept at most that much longer. 0 = no requests are logged.",
  }),
  EVENT_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(90).meta({
    group: "database",
    unit: "days",
    description:
      "Days that events, their deliveries and attempts are kept. Retention drops them in the same way as logged requests.",
  }),
  EXPIRED_SANDBOX_DAYS: z.coerce.number().int().min(0).max(3650).default(30).meta({
    group: "database",
    unit: "days",
    description:
      "Days after its expiry that a sandbox account can still be extended. Trunkline then deletes the account with all its data. 0 = never deleted.",
  }),
  BACKUP_DIR: z.string().min(1).optional().meta({
    group: "database",
    isCommon: true,
    description:
      "The folder of scheduled backups of the database and all files, also those in a bucket. Without it, none is made. See [backups](hardening.md#backups).",
  }),
  BACKUP_HOURS: z.coerce.number().int().min(1).max(8760).default(24).meta({
    group: "database",
    unit: "hours",
    description: "Hours between two scheduled backups.",
  }),
  BACKUP_KEEP: z.coerce.number().int().min(0).max(10_000).default(7).meta({
    group: "database",
    unit: "backups",
    description: "The number of scheduled backups that are kept. 0 = all.",
  }),
  PG_BIN: z.string().min(1).optional().meta({
    group: "database",
    preset: "found in `PATH`",
    description: "The folder of `pg_dump` and `pg_restore`, for backups of your own PostgreSQL.",
  }),

  S3_BUCKET: z.string().min(1).optional().meta({
    group: "files",
    isCommon: true,
    description:
      "A bucket that stores files instead of `DATA_DIR`; requires `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`. Clients upload directly to a bucket with conditional writes (`If-None-Match`), so browsers need matching CORS rules. Uploads to other buckets go through Trunkline. The bucket should have a lifecycle rule that aborts incomplete multipart uploads.",
  }),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().meta({
    group: "files",
    description: "The ID of the bucket's access key.",
  }),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().meta({
    group: "files",
    description: "The secret of the bucket's access key.",
  }),
  S3_REGION: z.string().min(1).default("us-east-1").meta({
    group: "files",
    description: "The region of the bucket.",
  }),
  S3_ENDPOINT: z.url().optional().meta({
    group: "files",
    preset: "AWS",
    description: "The endpoint of a provider other than AWS.",
  }),
  S3_PATH_STYLE: flag.meta({
    group: "files",
    description: "`1` uses URLs of the form endpoint/bucket/key instead of bucket.endpoint/key.",
  }),
  MEDIA_ALLOW_PRIVATE: list.meta({
    group: "files",
    description:
      "Private hosts and CIDRs that media can be downloaded from, comma-separated. Hosts in this list can also use `http`.",
  }),
  STORAGE_PER_ACCOUNT_MB: z.coerce.number().int().min(0).max(10_000_000).default(0).meta({
    group: "files",
    unit: "megabytes",
    description:
      "Storage quota for accounts without their own limit (`storage_mb`). Uploads over the quota fail with 409/2015. 0 = no limit.",
  }),
  DISK_RESERVE_MB: z.coerce.number().int().min(0).max(10_000_000).default(512).meta({
    group: "files",
    unit: "megabytes",
    description:
      "Free space to keep on the disk of `DATA_DIR`, which the embedded database also uses. Below this limit uploads fail with 503/4004 and everything else continues. 0 = no reserve.",
  }),

  WEBHOOK_ALLOW_PRIVATE: list.meta({
    group: "webhooks",
    description:
      "Private hosts and CIDRs that webhooks can reach, comma-separated. Trunkline's own port and PostgreSQL's port are always blocked.",
  }),
  WEBHOOK_SANDBOX_LOOPBACK: flag.meta({
    group: "webhooks",
    preset: "`1` with the embedded database, a loopback `HOST` and no `WEBHOOK_ALLOW_PRIVATE`, else `0`",
    description: "`1` lets webhooks of sandbox accounts reach this machine, so that a first receiver works.",
  }),
  WEBHOOK_RETRY_SECONDS: RetryLadder.meta({
    group: "webhooks",
    preset: "`2,4,8,16,30,60,120,240,420,600`",
    description:
      "Seconds between the attempts of a webhook delivery, comma-separated: at most 50 waits with a sum of at most one day. `Retry-After` applies within this sum.",
  }),
  LEASE_SECONDS: z.coerce.number().int().min(11).max(600).default(30).meta({
    group: "webhooks",
    unit: "seconds",
    description:
      "The time after which another process takes over the webhooks of a process that died. Longer than an endpoint's time to respond.",
  }),
  TRANSPORT_ALLOW_PRIVATE: list.meta({
    group: "webhooks",
    description:
      "Private hosts and CIDRs that lines can connect to, comma-separated, such as an SMS center behind a VPN. URLs of listed hosts can also use `http`.",
  }),
  IMSG_COMMAND: z.string().min(1).default("imsg").meta({
    group: "webhooks",
    description:
      "The program `imsg`, which lines with the transport `imsg` run on this machine, or on a Mac over SSH.",
  }),

  REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).max(10_000_000).default(60_000).meta({
    group: "limits",
    unit: "requests per minute",
    description: "Requests per minute and token for accounts without their own limit. 0 = no limit.",
  }),
  SANDBOX_DAILY_MESSAGES: z.coerce.number().int().min(0).max(10_000_000).default(100).meta({
    group: "limits",
    unit: "messages per day",
    description: "Limit of new sandbox accounts: inbound and outbound messages per day. 0 = no limit.",
  }),
  PAIR_MESSAGES: z.coerce.number().int().min(0).max(10_000_000).default(30).meta({
    group: "limits",
    unit: "messages",
    description: "Limit of new accounts: messages per 60 seconds from a line to a recipient. 0 = no limit.",
  }),
  CODES_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(200).meta({
    group: "limits",
    unit: "codes per hour",
    description: "One-time codes per hour and account, for all customers together.",
  }),
  STREAMS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(100).meta({
    group: "limits",
    unit: "streams",
    description: "Concurrent event streams per account and process.",
  }),
  SUBSCRIPTIONS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(500).meta({
    group: "limits",
    unit: "subscriptions",
    description: "Maximum number of webhook subscriptions per account.",
  }),
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).default(1000).meta({
    group: "limits",
    unit: "connections",
    description:
      "Open connections of one client IP address, per process. 0 = no limit. Connections from a trusted proxy (`TRUST_PROXY`) are not counted: limit connections per client in the proxy.",
  }),

  STRIPE_SECRET_KEY: z.string().min(1).optional().meta({
    group: "payments",
    description:
      "The secret key of the platform's own Stripe account. Without it, no account can connect Stripe. See [payments](payments.md#stripe).",
  }),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional().meta({
    group: "payments",
    description: "The publishable key of the same Stripe account.",
  }),
  STRIPE_CLIENT_ID: z.string().min(1).optional().meta({
    group: "payments",
    description: "The client ID of Stripe Connect, with which accounts connect their Stripe account.",
  }),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional().meta({
    group: "payments",
    description: "The signing secret of the Stripe webhook endpoint for payments.",
  }),
  STRIPE_ISSUING_WEBHOOK_SECRETS: list.meta({
    group: "payments",
    description:
      "The signing secrets of the endpoints at `/inbound/stripe/issuing`, comma-separated: one for authorizations, one for all other events. See [agent payments](agent-payments.md).",
  }),
  STRIPE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(80).default(10).meta({
    group: "payments",
    unit: "seconds",
    description:
      "Time limit for one response from Stripe. Trunkline retries once, then the request fails with 3005.",
  }),
  CHARGE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(1.5).meta({
    group: "payments",
    unit: "seconds",
    description:
      "Time limit for the decision on a charge of an agent payment's card, after which Trunkline declines the charge. Stripe waits two seconds for the response, so keep it below. See [agent payments](agent-payments.md).",
  }),
  APPLE_PAY_DOMAIN_ASSOCIATION: z.string().min(1).optional().meta({
    group: "payments",
    description: "The content of `/.well-known/apple-developer-merchantid-domain-association`.",
  }),
  APPLE_APP_CLIP_IDS: list.meta({
    group: "payments",
    description: "App clips that open checkout links, as `TEAMID.bundle.id`, comma-separated.",
  }),

  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, "must be a URL such as smtp://user:password@mail.example.com:587")
    .optional()
    .meta({
      group: "mail",
      isCommon: true,
      description:
        "The mail server for invitations, password resets, sign-ins from new browsers and expiring tokens: `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://…:465`; requires `MAIL_FROM`. STARTTLS is required, with a valid certificate, if there is a password or `?tls=required`. Otherwise, and on this machine, STARTTLS is used when the server offers it, with any certificate. Set it for web and worker processes. Without it, no email is sent, and the dashboard shows links.",
    }),
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be an email address, such as Trunkline <no-reply@example.com>")
    .optional()
    .meta({
      group: "mail",
      description:
        "The sender of email, such as `Trunkline <no-reply@example.com>`. Required with `SMTP_URL`.",
    }),

  SESSION_HOURS: z.coerce.number().int().min(1).max(720).default(12).meta({
    group: "sign-on",
    unit: "hours",
    description: "Maximum age of a dashboard session.",
  }),
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(43_200).default(120).meta({
    group: "sign-on",
    unit: "minutes",
    description: "Maximum idle time of a dashboard session. An open page counts as activity.",
  }),
  OIDC_ISSUER: z.url().optional().meta({
    group: "sign-on",
    description:
      "The URL of the identity provider for single sign-on in the dashboard. See [single sign-on](people.md#single-sign-on).",
  }),
  OIDC_CLIENT_ID: z.string().optional().meta({
    group: "sign-on",
    description: "The client ID at the identity provider.",
  }),
  OIDC_CLIENT_SECRET: z.string().optional().meta({
    group: "sign-on",
    description: "The client secret at the identity provider.",
  }),
  OIDC_NAME: z.string().default("single sign-on").meta({
    group: "sign-on",
    description: "The name of the identity provider on the sign-in page.",
  }),
  OIDC_SCOPE: z.string().min(1).default("openid email profile").meta({
    group: "sign-on",
    description: "The scopes of a sign-in. Add `offline_access` to read groups again during a session.",
  }),
  OIDC_GROUPS_CLAIM: z.string().min(1).default("groups").meta({
    group: "sign-on",
    description:
      "The claim with the groups of a person. See [groups](people.md#groups-of-the-identity-provider).",
  }),
  SSO_TRUST_EMAIL: flag.meta({
    group: "sign-on",
    description:
      "`1` counts an email address as verified if the provider says nothing about it, as Microsoft Entra does. See [single sign-on](people.md#single-sign-on).",
  }),

  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info").meta({
    group: "observability",
    description: "The log level. Logs are JSON lines on stderr.",
  }),
  METRICS_TOKEN: z.string().min(16).optional().meta({
    group: "observability",
    description:
      "The bearer token of `/metrics` (Prometheus), at least 16 characters. Without it, only this machine can read metrics, and not through a proxy.",
  }),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional().meta({
    group: "observability",
    unit: "",
    description: "Another port for `/metrics`, `/health` and `/ready`, also of a process with `ROLE=worker`.",
  }),
  OPERATOR_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      group: "observability",
      description:
        "The URL that gets the operator's [alerts](alerts.md): flagged lines, disabled endpoints, old queues, old backups, full disks. Set it for web and worker processes.",
    }),
  OPERATOR_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be whsec_ and at least 24 bytes in base64")
    .optional()
    .meta({
      group: "observability",
      description: "The secret (`whsec_…`) of the alerts' signatures. Required with `OPERATOR_WEBHOOK_URL`.",
    }),
  ALERT_QUEUE_SECONDS: z.coerce.number().int().min(10).max(86_400).default(300).meta({
    group: "observability",
    unit: "seconds",
    description: "The age of the oldest due item of a queue from which there is an alert.",
  }),
  ALERT_BACKUP_HOURS: z.coerce.number().min(1).max(8760).optional().meta({
    group: "observability",
    unit: "hours",
    preset: "1.5 × `BACKUP_HOURS`",
    description:
      "The age of the last backup from which there is an alert. Without this setting, only with `BACKUP_DIR`.",
  }),
  ALERT_DISK_FREE_MB: z.coerce.number().int().min(0).max(10_000_000).default(1024).meta({
    group: "observability",
    unit: "megabytes",
    description: "The free space of a process's disk below which there is an alert. 0 = none.",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      group: "observability",
      description:
        "The OTLP/HTTP endpoint of a trace collector, such as `http://127.0.0.1:4318`. `/v1/traces` is appended. Without it, no [traces](tracing.md) are exported.",
    }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default("")
    .refine(isHeaderList, "must be name=value,name=value")
    .meta({
      group: "observability",
      description: "Headers of the collector's requests: `name=value,name=value`, with URL-encoded values.",
    }),
  OTEL_SERVICE_NAME: z.string().min(1).default("trunkline").meta({
    group: "observability",
    description: "The name of the service in traces.",
  }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).meta({
    group: "observability",
    unit: "",
    description: "The share of traces that are exported.",
  }),

  NODE_ENV: z.enum(["development", "test", "production"]).default("production").meta({
    group: "development",
    description: "`npm start` sets `production`, and `npm run dev` sets `development`.",
  }),
  CLOCK_CONTROL: flag.meta({
    group: "development",
    description:
      "`1` lets sandbox tokens move the platform clock with `/simulator/clock`, for tests. Never in production.",
  }),
  API_THROUGH_NEXT: flag.meta({
    group: "development",
    description: "`1` serves the API's routes through Next instead of before Next, to compare the two.",
  }),
  STRIPE_API_URL: z
    .url()
    .refine(isLoopback, "must be a local test server: http://127.0.0.1:<port>")
    .optional()
    .meta({
      group: "development",
      description: "The URL of a fake Stripe API for tests. Only a server on this machine is accepted.",
    }),
});

export type Settings = z.infer<typeof Settings>;
