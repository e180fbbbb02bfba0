import "server-only";
import { baseUrl, cdnUrl, checkoutUrl, dashboardUrl, docsUrl } from "@/lib/platform/env";

/** A year, the name and value of the header (RFC 6797). Other hosts below the name are not ours to speak for. */
export const STRICT_TRANSPORT = ["strict-transport-security", "max-age=31536000"] as const;

/**
 * Tells of a Host whether browsers should only come to it over TLS: when the setting that names it is an https:// URL. A
 * Host that no setting names counts as that of `BASE_URL`.
 */
export function strictHosts(): (host: string | undefined) => boolean {
  const base = new URL(baseUrl());
  const own = [docsUrl(), checkoutUrl(), cdnUrl(), dashboardUrl(), base.href].map((url) => new URL(url));
  const byHost = new Map(own.map(({ host, protocol }) => [host, protocol]));
  return (host) => (byHost.get(host?.toLowerCase() ?? "") ?? base.protocol) === "https:";
}
