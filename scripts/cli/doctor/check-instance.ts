import { type ApiClient, send } from "@/scripts/cli/api-client";
import { type Check, runCheck } from "@/scripts/cli/doctor/check";
import type { OwnToken } from "@/scripts/cli/token-commands";

const DAY_MS = 86_400_000;
const EXPIRES_SOON_MS = 7 * DAY_MS;
const SKEW_WARN_MS = 30_000;
/** Receivers reject signatures that are more than five minutes off. */
const SKEW_FAIL_MS = 300_000;

/** Whether the instance responds and can do its work: its database, migrations, files and worker. */
export function checkInstance(url: string): Promise<Check> {
  return runCheck("instance", async () => {
    const from = performance.now();
    const response = await send(new URL("/ready", url), {});
    const latencyMs = Math.round(performance.now() - from);
    const { checks = {} } = (await response.json().catch(() => ({}))) as { checks?: Record<string, string> };
    const failed = Object.entries(checks).filter(([, state]) => state !== "ok");
    if (response.ok) return { status: "ok", detail: `${url} is ready (${latencyMs} ms)` };
    const reasons = failed.map(([name, state]) => `${name}: ${state}`).join(", ");
    return { status: "fail", detail: `${url} is not ready. ${reasons || `Status ${response.status}`}` };
  });
}

/** Whether the token is valid, and for how long. */
export function checkToken(client: ApiClient): Promise<Check> {
  return runCheck("token", async () => {
    const { token, account } = await client.call<OwnToken>("GET /v3/token");
    const scopes = token.scopes.length === 0 ? "full access" : token.scopes.join(", ");
    const detail = `${token.name} of ${account.name} (${account.type}), ${scopes}`;
    const ends = [token.expires_at, account.expires_at].flatMap((at) =>
      at === null ? [] : [Date.parse(at)],
    );
    const end = Math.min(...ends);
    if (end - Date.now() > EXPIRES_SOON_MS) return { status: "ok", detail };
    return { status: "warn", detail: `${detail}. Expires ${new Date(end).toISOString()}: replace it.` };
  });
}

/** Whether the clocks of this machine and of the instance agree, which signatures need. */
export function checkClock(client: ApiClient): Promise<Check> {
  return runCheck("clock", async () => {
    const sentAt = Date.now();
    const { date } = await client.respond("GET /v3/token");
    if (date === null) return { status: "skip", detail: "the instance sends no Date header" };
    // The header has no milliseconds.
    const skewMs = date + 500 - (sentAt + Date.now()) / 2;
    const seconds = Math.round(Math.abs(skewMs) / 1000);
    const detail = `this machine is ${seconds} s ${skewMs < 0 ? "ahead of" : "behind"} the instance`;
    if (Math.abs(skewMs) > SKEW_FAIL_MS) {
      return { status: "fail", detail: `${detail}: webhook signatures are rejected. Synchronize the clock.` };
    }
    return { status: Math.abs(skewMs) > SKEW_WARN_MS ? "warn" : "ok", detail };
  });
}

interface Line {
  phone_number: string;
  status: string;
  reputation: { status: string };
}

/** Whether the account has a line that can send. */
export function checkLines(client: ApiClient): Promise<Check> {
  return runCheck("lines", async () => {
    const { phone_numbers: lines } = await client.call<{ phone_numbers: Line[] }>("GET /v3/phone_numbers");
    if (lines.length === 0) return { status: "warn", detail: "the account has no line" };
    const weak = lines.filter(
      ({ status, reputation }) => status !== "ACTIVE" || reputation.status !== "HEALTHY",
    );
    if (weak.length === 0) return { status: "ok", detail: `${lines.length} healthy` };
    const named = weak.map((line) => `${line.phone_number} (${line.status}, ${line.reputation.status})`);
    return { status: "warn", detail: `${lines.length} in total. Check ${named.join(", ")}` };
  });
}
