import "server-only";
import { isIP } from "node:net";
import { dashboardUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";

/** The relying party of the team's passkeys: the host of the dashboard. */
export function passkeyOrigin(): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(dashboardUrl());
  return { rpID: hostname, origin };
}

/**
 * Why browsers offer no passkeys at the dashboard's URL, and what to do; null when passkeys work. Browsers require
 * HTTPS or localhost, and a host name instead of an IP address.
 */
export function passkeyBlocker(): string | null {
  const { hostname, protocol, origin } = new URL(dashboardUrl());
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return `passkeys need a host name, but the dashboard's URL is ${origin}: set DASHBOARD_URL to a URL with a host name`;
  }
  if (protocol === "https:" || isLocal) return null;
  return `passkeys need HTTPS, but the dashboard's URL is ${origin}: set DASHBOARD_URL to an https:// URL`;
}

/** Fails where browsers offer no passkeys. Errors: feature_not_available. */
export function requirePasskeyOrigin(): void {
  const blocker = passkeyBlocker();
  if (blocker !== null) fail("feature_not_available", blocker);
}
