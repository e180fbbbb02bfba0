import "server-only";
import { WEBHOOK_VERSIONS, WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { AccountRef } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { isOwnPort } from "@/lib/platform/guarded-fetch/own-ports";
import {
  type AllowList,
  canonicalHost,
  isNamed,
  isRefusedHost,
  parseAllowList,
} from "@/lib/platform/guarded-fetch/target-rules";
import { relayConnectionOf } from "@/lib/webhooks/targets/relay-webhook";

const NEWEST_VERSION_SINCE = new Date("2026-02-03T00:00:00Z");

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

// Keyed by the configuration that they were parsed from.
const allowLists = new WeakMap<object, Map<AccountRef["type"], AllowList>>();

/** The private addresses that webhooks of this account type may reach. Throws when the configuration is invalid. */
export function webhookAllowList(type: AccountRef["type"]): AllowList {
  const lists = allowLists.get(env()) ?? new Map<AccountRef["type"], AllowList>();
  allowLists.set(env(), lists);
  const known = lists.get(type) ?? readAllowList(type);
  lists.set(type, known);
  return known;
}

function readAllowList(type: AccountRef["type"]): AllowList {
  const { WEBHOOK_ALLOW_PRIVATE, WEBHOOK_SANDBOX_LOOPBACK } = env();
  const loopback = WEBHOOK_SANDBOX_LOOPBACK && type === "sandbox" ? LOOPBACK : [];
  try {
    return parseAllowList([...WEBHOOK_ALLOW_PRIVATE, ...loopback]);
  } catch (error) {
    throw new Error(`WEBHOOK_ALLOW_PRIVATE: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Rejects invalid webhook targets (docs/contract.md, section 12.2): only https, plus http in sandbox accounts to hosts
 * in WEBHOOK_ALLOW_PRIVATE; no credentials; no private address; and, as far as the URL shows, neither Trunkline itself,
 * except its relay, nor its PostgreSQL. Errors: parameter_invalid.
 */
export function checkTarget(account: AccountRef, targetUrl: string): void {
  const url = hasControlCharacter(targetUrl) ? null : URL.parse(targetUrl);
  if (url === null) rejectTarget("is not a URL");
  // Trunkline's own relay URLs count as https and are resolved internally (docs/contract.md, section 12.2).
  const isRelay = relayConnectionOf(url) !== null;
  if (!isRelay && url.protocol !== "https:" && !mayUseHttp(account, url))
    rejectTarget("must start with https://");
  if (url.username !== "" || url.password !== "") rejectTarget("must not contain a user name or password");
  if (!isRelay && (isRefusedHost(url.hostname, webhookAllowList(account.type)) || isOwnTarget(url))) {
    rejectTarget("must resolve to a public address");
  }
  versionInTarget(targetUrl);
}

/**
 * The payload version of a subscription: `?version=` of its target, otherwise the account's default. A subscription
 * created before the newest version existed keeps the oldest (docs/contract.md, section 12.3).
 */
export function webhookVersion(
  targetUrl: string,
  createdAt: Date,
  accountDefault: WebhookVersion,
): WebhookVersion {
  const [oldest] = WEBHOOK_VERSIONS;
  return versionInTarget(targetUrl) ?? (createdAt < NEWEST_VERSION_SINCE ? oldest : accountDefault);
}

/** A target for audit entries and logs, without its query, which may contain a secret. */
export function withoutQuery(targetUrl: string): string {
  const { origin, pathname } = new URL(targetUrl);
  return `${origin}${pathname}`;
}

function versionInTarget(targetUrl: string): WebhookVersion | null {
  const text = new URL(targetUrl).searchParams.get("version");
  if (text === null) return null;
  const version = WebhookVersion.safeParse(text);
  return version.success
    ? version.data
    : rejectTarget(`?version= must be one of ${WEBHOOK_VERSIONS.join(", ")}`);
}

function mayUseHttp(account: AccountRef, url: URL): boolean {
  const { type } = account;
  return url.protocol === "http:" && type === "sandbox" && isNamed(url.hostname, webhookAllowList(type));
}

// Checks the URL's text only. Host names are checked again when they are resolved.
function isOwnTarget(url: URL): boolean {
  const host = canonicalHost(url.hostname);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return isOwnPort(host === "localhost" ? "127.0.0.1" : host, port);
}

// The URL parser drops tabs and line breaks and trims spaces, but the stored URL must be the called one.
function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regex looks for control characters
  return /[\u0000-\u0020\u007f]/.test(text);
}

function rejectTarget(reason: string): never {
  return fail("parameter_invalid", `target_url ${reason}`);
}
