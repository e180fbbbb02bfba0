import "server-only";
import { WEBHOOK_VERSIONS, WebhookVersion } from "@/lib/events/webhook-version";
import type { AccountRef } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { type AllowList, isNamed, isRefusedHost, parseAllowList } from "@/lib/platform/target-rules";

const NEWEST_VERSION_SINCE = new Date("2026-02-03T00:00:00Z");

let allowList: AllowList | undefined;

/** The private places webhooks of this instance may reach. Throws when the configuration cannot be read. */
export function webhookAllowList(): AllowList {
  allowList ??= readAllowList();
  return allowList;
}

function readAllowList(): AllowList {
  try {
    return parseAllowList(env().WEBHOOK_ALLOW_PRIVATE);
  } catch (error) {
    throw new Error(`WEBHOOK_ALLOW_PRIVATE: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Refuses what is no target for webhooks: https only, and http in sandbox accounts to hosts WEBHOOK_ALLOW_PRIVATE
 * names; no credentials; no private address as far as the spelling tells (contract.md 5). Errors: parameter_invalid.
 */
export function checkTarget(account: AccountRef, targetUrl: string): void {
  const url = hasControlCharacter(targetUrl) ? null : URL.parse(targetUrl);
  if (url === null) refuse("is not a URL");
  if (url.protocol !== "https:" && !mayUseHttp(account, url)) refuse("must begin with https://");
  if (url.username !== "" || url.password !== "") refuse("must not carry a user name or password");
  if (isRefusedHost(url.hostname, webhookAllowList())) refuse("is not an address this service may reach");
  versionInTarget(targetUrl);
}

/** The payload version of a subscription: `?version=` of its target, else by when it was created (contract.md 4.1). */
export function webhookVersion(targetUrl: string, createdAt: Date): WebhookVersion {
  const [oldest, newest] = WEBHOOK_VERSIONS;
  return versionInTarget(targetUrl) ?? (createdAt < NEWEST_VERSION_SINCE ? oldest : newest);
}

/** A target as audits and logs show it: a query may hold a secret. */
export function withoutQuery(targetUrl: string): string {
  const { origin, pathname } = new URL(targetUrl);
  return `${origin}${pathname}`;
}

function versionInTarget(targetUrl: string): WebhookVersion | null {
  const text = new URL(targetUrl).searchParams.get("version");
  if (text === null) return null;
  const version = WebhookVersion.safeParse(text);
  return version.success ? version.data : refuse(`?version= must be one of ${WEBHOOK_VERSIONS.join(", ")}`);
}

function mayUseHttp(account: AccountRef, url: URL): boolean {
  return url.protocol === "http:" && account.type === "sandbox" && isNamed(url.hostname, webhookAllowList());
}

// The URL parser drops tabs and line breaks and trims spaces: what is stored must be what is called.
function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u0020\u007f]/.test(text);
}

function refuse(reason: string): never {
  return fail("parameter_invalid", `target_url ${reason}`);
}
