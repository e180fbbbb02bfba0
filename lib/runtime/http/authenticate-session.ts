import "server-only";
import { callerOfSession } from "@/lib/identity/users/caller-of-session";
import { findSession } from "@/lib/identity/users/find-session";
import { now } from "@/lib/platform/clock";
import { dashboardUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { accountExpired, type Caller } from "@/lib/runtime/http/authenticate";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";

const READS = new Set(["GET", "HEAD"]);
/** Operations of people on themselves and each other, which work even if the account has expired. */
const OF_PEOPLE = /^\/api\/(session|sessions|people)(\/|$)/;

/**
 * Authenticates a request of a signed-in dashboard: its account and user. Browsers send cookies automatically, so a
 * write must also come from Trunkline's own pages. An expired account is read-only. Errors: unauthorized,
 * access_denied.
 */
export async function authenticateSession(request: Request): Promise<Caller> {
  const cookies = parseCookies(request.headers.get("cookie"));
  const session = await findSession((name) => cookies.get(name));
  if (session === null) fail("unauthorized", "sign in to the dashboard again");
  if (session.account === null) {
    fail("access_denied", "you don't have access to any account: ask an admin to invite you");
  }
  if (!READS.has(request.method)) requireOwnPages(request);

  const { account } = session;
  const expiresAt = account.expiresAt === null ? null : new Date(account.expiresAt);
  if (!isOutsideAccount(request) && expiresAt !== null && expiresAt <= now()) throw accountExpired(expiresAt);

  return callerOfSession({ ...session, account });
}

function isOutsideAccount({ method, url }: Request): boolean {
  return READS.has(method) || OF_PEOPLE.test(new URL(url).pathname);
}

/**
 * Browsers send cookies automatically, so a request that changes something must come from one of Trunkline's pages.
 * Errors: access_denied.
 */
export function requireOwnPages(request: Request): void {
  if (isFromOurPages(request)) return;
  fail("access_denied", "the request was not sent from a page of the dashboard");
}

/**
 * The whole origin counts: scheme, host and port. An instance may be reached by several names, so a page of the host that
 * was asked is ours too, by the scheme of DASHBOARD_URL: behind a proxy that ends TLS the request itself has none.
 */
function isFromOurPages(request: Request): boolean {
  const origin = request.headers.get("origin");
  const { origin: ours, protocol } = new URL(dashboardUrl());
  return origin !== null && (origin === ours || origin === `${protocol}//${request.headers.get("host")}`);
}
