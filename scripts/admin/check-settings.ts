import { type env, isAnyHost, linkHost } from "@/lib/platform/env";
import { isLoopbackHost } from "@/lib/platform/is-loopback-host";
import type { Check } from "@/scripts/cli/doctor/check";

type Settings = Pick<
  ReturnType<typeof env>,
  "BASE_URL" | "CLOCK_CONTROL" | "HOST" | "METRICS_PORT" | "ROLE" | "SEED_DEMO" | "TRUST_PROXY"
>;

/**
 * Whether valid settings also make sense together. `isExternal`: the database is at DATABASE_URL. Settings that can't
 * work fail; settings that are unsafe or probably not intended are a warning.
 */
export function checkSettings(
  settings: Settings,
  { isExternal }: { isExternal: boolean },
): Omit<Check, "name"> {
  const { ROLE, HOST, BASE_URL } = settings;
  const url = new URL(BASE_URL ?? `http://${linkHost(HOST)}`);
  const isUnset = BASE_URL === undefined && isAnyHost(HOST);
  if (isUnset || isAnyHost(url.hostname.replace(/^\[(.*)\]$/, "$1"))) {
    return {
      status: "fail",
      detail: `links and callbacks would point to ${url.hostname}. Set BASE_URL to the URL that clients use.`,
    };
  }
  if (ROLE !== "all" && !isExternal) {
    return {
      status: "fail",
      detail: `ROLE=${ROLE} needs DATABASE_URL, because the embedded database belongs to one process.`,
    };
  }
  const warnings = warningsAbout(settings, url);
  if (warnings.length > 0) return { status: "warn", detail: warnings.join(" ") };
  return { status: "ok", detail: `ROLE=${ROLE}, BASE_URL ${url.origin}` };
}

function warningsAbout(settings: Settings, url: URL): string[] {
  const isPublic = !isLoopbackHost(url.hostname);
  const isEncrypted = url.protocol === "https:";
  const { ROLE, TRUST_PROXY, CLOCK_CONTROL, SEED_DEMO, METRICS_PORT } = settings;
  const rules: [boolean, string][] = [
    [
      isPublic && !isEncrypted,
      `BASE_URL is ${url.origin}: terminate TLS in front of Trunkline and use https.`,
    ],
    [
      isEncrypted && TRUST_PROXY === "",
      "TRUST_PROXY is not set: behind a proxy, all clients share the proxy's address.",
    ],
    [isPublic && CLOCK_CONTROL, "CLOCK_CONTROL is on: turn it off in production."],
    [isPublic && SEED_DEMO, "SEED_DEMO is on: turn it off in production."],
    [
      ROLE === "worker" && METRICS_PORT === undefined,
      "METRICS_PORT is not set: nothing can check the readiness of this worker.",
    ],
  ];
  return rules.filter(([applies]) => applies).map(([, text]) => text);
}
