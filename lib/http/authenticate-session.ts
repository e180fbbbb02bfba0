import "server-only";
import type { Caller } from "@/lib/http/authenticate";
import { parseCookies } from "@/lib/http/parse-cookies";
import { dashboardUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { callerOfSession } from "@/lib/users/caller-of-session";
import { findSession } from "@/lib/users/find-session";

const READS = new Set(["GET", "HEAD"]);

/**
 * The account and user of a signed-in dashboard's request. Cookies travel by themselves, so a write must also come from
 * our own pages. Errors: unauthorized, access_denied.
 */
export async function authenticateSession(request: Request): Promise<Caller> {
  const cookies = parseCookies(request.headers.get("cookie"));
  const session = await findSession((name) => cookies.get(name));
  if (session === null) fail("unauthorized", "sign in to the dashboard again");
  if (session.account === null) fail("access_denied", "you belong to no account");
  if (!READS.has(request.method) && !isFromOurPages(request)) {
    fail("access_denied", "the request does not come from the dashboard's own pages");
  }

  return callerOfSession({ ...session, account: session.account });
}

// An instance may be reached by several names: a page of the very host that was asked is ours too.
function isFromOurPages(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(dashboardUrl()).origin || new URL(origin).host === request.headers.get("host");
}
