import "server-only";
import { baseUrl, cdnUrl, checkoutUrl, dashboardUrl, docsUrl } from "@/lib/platform/env";

/**
 * The header's name and value (RFC 6797): one year. includeSubDomains is omitted, because hosts below this name may not
 * be Trunkline's.
 */
export const STRICT_TRANSPORT = ["strict-transport-security", "max-age=31536000"] as const;

/**
 * Whether browsers should use only TLS for a Host: when the setting with that host is an https:// URL. A Host in no
 * setting is treated like that of `BASE_URL`.
 */
export function strictHosts(): (host: string | undefined) => boolean {
  const base = new URL(baseUrl());
  const own = [docsUrl(), checkoutUrl(), cdnUrl(), dashboardUrl(), base.href].map((url) => new URL(url));
  const byHost = new Map(own.map(({ host, protocol }) => [host, protocol]));
  return (host) => (byHost.get(host?.toLowerCase() ?? "") ?? base.protocol) === "https:";
}
