import "server-only";
import { callerOfSession } from "@/lib/identity/users/caller-of-session";
import { findSession } from "@/lib/identity/users/find-session";
import { now } from "@/lib/platform/clock";
import { dashboardUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { accountExpired, type Caller } from "@/lib/runtime/http/authenticate";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";

const READS = new Set(["GET", "HEAD"]);
/** Operations on sessions and people, which also work in an expired account. */
const OF_PEOPLE = /^\/api\/(session|sessions|people)(\/|$)/;

/**
 * Authenticates a dashboard request by its session cookie. Browsers send cookies automatically, so a write must also
 * come from one of Trunkline's pages. An expired account is read-only. Errors: unauthorized, access_denied.
 */
export async function authenticateSession(request: Request): Promise<Caller> {
  const cookies = parseCookies(request.headers.get("cookie"));
  const session = await findSession((name) => cookies.get(name));
  if (session === null) fail("unauthorized", "sign in to the dashboard again");
  if (session.account === null) {
    fail("access_denied", "you don't have access to any account: ask an admin to invite you");
  }
  if (!READS.has(request.method)) requireSameOrigin(request);

  const { account } = session;
  const expiresAt = account.expiresAt === null ? null : new Date(account.expiresAt);
  if (!isOutsideAccount(request) && expiresAt !== null && expiresAt <= now()) throw accountExpired(expiresAt);

  return callerOfSession({ ...session, account });
}

function isOutsideAccount({ method, url }: Request): boolean {
  return READS.has(method) || OF_PEOPLE.test(new URL(url).pathname);
}

/**
 * Rejects a write that does not come from one of Trunkline's pages, because browsers send cookies automatically.
 * Errors: access_denied.
 */
export function requireSameOrigin(request: Request): void {
  if (isFromOurPages(request)) return;
  fail("access_denied", "the request was not sent from a page of the dashboard");
}

/**
 * Compares the whole origin: scheme, host and port. An instance may have several host names, so a page on the requested
 * host is also accepted, with the scheme of DASHBOARD_URL: behind a proxy that terminates TLS, the request itself has
 * no https scheme.
 */
function isFromOurPages(request: Request): boolean {
  const origin = request.headers.get("origin");
  const { origin: ours, protocol } = new URL(dashboardUrl());
  return origin !== null && (origin === ours || origin === `${protocol}//${request.headers.get("host")}`);
}
