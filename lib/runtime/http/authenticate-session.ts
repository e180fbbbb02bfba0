import "server-only";
import { callerOfSession } from "@/lib/identity/sessions/caller-of-session";
import { findSession, type Session, type SessionAccount } from "@/lib/identity/sessions/find-session";
import type { MissingProof } from "@/lib/identity/sessions/missing-proof";
import { SENDER_HEADER, senderHeader, senderOf } from "@/lib/identity/sessions/sender";
import { dashboardUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";
import { accountArchived, accountExpired, type Caller } from "@/lib/runtime/http/authenticate";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";

const LACKING: Record<MissingProof, string> = {
  single_sign_on: "this partner requires single sign-on: open the dashboard to sign in with it",
  sign_in: "an admin signed you out of this partner: sign in again",
  passkey: "admins of this partner need a passkey: open the dashboard to confirm your sign-in with one",
};
const READS = new Set(["GET", "HEAD"]);
/** Operations on accounts, sessions and people, which also work in an archived or expired account. */
const OUTSIDE_ACCOUNT = /^\/api\/(accounts|session|sessions|people)(\/|$)/;

/**
 * Authenticates a dashboard request by its session cookie. Browsers send cookies automatically, so a write must also
 * come from one of Trunkline's pages. An archived or expired account is read-only. Errors: unauthorized; sender_changed
 * (`SENDER_HEADER`); access_denied, also where the session lacks what the account's partner requires.
 */
export async function authenticateSession(request: Request): Promise<Caller> {
  const { caller, lacks } = await readSession(request);
  if (lacks !== null) fail("access_denied", LACKING[lacks]);
  return caller;
}

/**
 * Like `authenticateSession`, for the operations with which a person confirms a session that still lacks something.
 * Errors: unauthorized, access_denied.
 */
export async function authenticateIncompleteSession(request: Request): Promise<Caller> {
  return (await readSession(request)).caller;
}

async function readSession(request: Request): Promise<{ caller: Caller; lacks: MissingProof | null }> {
  const cookies = parseCookies(request.headers.get("cookie"));
  const session = await findSession((name) => cookies.get(name));
  if (session === null) fail("unauthorized", "sign in to the dashboard again");
  requireSender(request, session);
  if (session.account === null) {
    fail("access_denied", "you don't have access to any account: ask an admin to invite you");
  }
  if (!READS.has(request.method)) requireSameOrigin(request);

  const { account } = session;
  if (!isOutsideAccount(request)) requireWritable(account);

  return { caller: callerOfSession({ ...session, account }), lacks: account.lacks };
}

function requireSender({ headers }: Request, { account, user }: Session): void {
  const expected = headers.get(SENDER_HEADER);
  const actual = senderHeader(senderOf(account?.id, user.email))[SENDER_HEADER];
  if (expected === null || expected === actual) return;
  fail(
    "sender_changed",
    "sign in as the user who wrote this, and choose the account in which it was written",
  );
}

function requireWritable({ archivedAt, expiresAt }: SessionAccount): void {
  if (archivedAt !== null) throw accountArchived(new Date(archivedAt));
  if (expiresAt === null) return;
  const endsAt = new Date(expiresAt);
  if (endsAt <= now()) throw accountExpired(endsAt);
}

function isOutsideAccount({ method, url }: Request): boolean {
  return READS.has(method) || OUTSIDE_ACCOUNT.test(new URL(url).pathname);
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
