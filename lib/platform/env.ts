import "server-only";
import { Settings } from "@/lib/platform/settings";

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

const CheckedSettings = Settings.refine(
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

// Shared by every copy of this module in the process, so that all copies reload together.
const shared = globalThis as typeof globalThis & { trunklineEnv?: Settings | undefined };

/** The process's configuration. Parsed at first use, so a build needs none. Throws a readable list of errors. */
export function env(): Settings {
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
  Settings.partial({ DATABASE_URL: true, ENCRYPTION_KEY: true }).parse(process.env);

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
  let cached: { from: Settings; result: Result } | undefined;
  return () => {
    const current = env();
    if (cached?.from !== current) cached = { from: current, result: make() };
    return cached.result;
  };
}

function parseEnv(source: NodeJS.ProcessEnv): Settings {
  const result = CheckedSettings.safeParse(source);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The configuration is invalid:\n${wrong.join("\n")}`);
}

/**
 * Returns the URL that clients use, without a trailing slash. The other URLs default to it
 * (docs/contract.md, section 1.1).
 */
export function baseUrl(): string {
  return withoutSlash(env().BASE_URL ?? `http://${linkHost(env().HOST)}:${env().PORT}`);
}

/** Returns the URL of the dashboard. */
export function dashboardUrl(): string {
  return withoutSlash(env().DASHBOARD_URL ?? baseUrl());
}

/** Returns the URL that serves all files: the only file host that clients allow (docs/contract.md, section 10.3). */
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

/**
 * Whether a URL points to this instance. Such URLs are resolved in the process, never fetched
 * (docs/contract.md, section 1.1).
 */
export function isOwnUrl(url: URL): boolean {
  return ownHosts().includes(url.host);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
