import "server-only";
import { emitAccountEvent } from "@/lib/events/emit-account-event";
import { verifyPassword } from "@/lib/identity/users/hash-password";
import { knownDevice } from "@/lib/identity/users/known-device";
import { memberChange } from "@/lib/identity/users/member-change";
import { openSession } from "@/lib/identity/users/open-session";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import {
  accountThrottle,
  addressThrottle,
  claimAttempt,
  revertAttempt,
  type Throttle,
} from "@/lib/identity/users/throttle-attempts";
import { EmailAddress, type SignedInUser } from "@/lib/identity/users/user";
import { now } from "@/lib/platform/clock";
import { type Sql, sql, transaction } from "@/lib/platform/db";
import { requestClient } from "@/lib/platform/request-client";

export type SignInOutcome =
  | { outcome: "signed_in"; user: SignedInUser }
  | { outcome: "refused" }
  | { outcome: "locked"; retryAfterSeconds: number };

/** The properties of the browser that signs in, besides the credentials. */
export interface SignInCookies {
  /** The value of the device cookie. */
  device?: string;
  /** The secret of the browser's existing session, which the new one replaces. */
  session?: string | null;
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
}

/**
 * Checks an email address and password and opens a session. Failures are counted per client address, and per account
 * and device: separately for each known device, and by address for unknown devices. An unknown email address takes the
 * same time, is throttled the same way and gets the same responses.
 */
export async function signIn(
  email: string,
  password: string,
  cookies: SignInCookies = {},
): Promise<SignInOutcome> {
  const address = EmailAddress.safeParse(email);
  if (!address.success) return { outcome: "refused" };

  const user = await findUser(address.data);
  const device = user === null ? null : knownDevice(user.id, cookies.device);
  const throttles = throttlesOf(address.data, device);
  const lockedSeconds = await transaction((tx) => claimAttempt(tx, throttles, now()));
  if (lockedSeconds > 0) return { outcome: "locked", retryAfterSeconds: lockedSeconds };

  const matches = await verifyPassword(user?.password_hash ?? null, password);
  if (user === null) return { outcome: "refused" };

  if (!matches) {
    await transaction((tx) => recordUserAudit(tx, user.id, "user.sign_in_failed"));
    return { outcome: "refused" };
  }
  const signedIn = await transaction(async (tx) => {
    if (!(await isPasswordUnchanged(tx, user))) return null;
    const admitted = await admit(tx, user, { method: "password" }, cookies);
    await revertAttempt(tx, throttles);
    return admitted;
  });
  return signedIn === null ? { outcome: "refused" } : { outcome: "signed_in", user: signedIn };
}

/**
 * Signs in the user with the verified email address from the organization's single sign-on. Returns null when there is
 * no such user. The sign-in counts as an identity confirmation only with `authTime`, the time when the person last
 * entered credentials there.
 */
export async function signInWithSso(
  email: string,
  { authTime = null, ...cookies }: SignInCookies & { authTime?: Date | null } = {},
): Promise<SignedInUser | null> {
  const address = EmailAddress.safeParse(email);
  const user = address.success ? await findUser(address.data) : null;
  if (user === null) return null;
  return transaction((tx) => admit(tx, user, { method: "oidc", provedAt: authTime }, cookies));
}

// A known device is not throttled by its address, because all clients behind an untrusted proxy share one.
function throttlesOf(email: string, device: string | null): Throttle[] {
  if (device !== null) return [accountThrottle(email, `device ${device}`)];
  const { address } = requestClient();
  return [addressThrottle(address), accountThrottle(email, `address ${address ?? "unknown"}`)];
}

async function findUser(email: string): Promise<UserRow | null> {
  const [row] = await sql.query<UserRow>({
    name: "user-by-email",
    text: "select id, email, name, password_hash from users where email = $1",
    values: [email],
  });
  return row ?? null;
}

// A password change ends the user's sessions, so the old password must not open another one afterwards. This locks the
// user's row, which a password change locks before it ends the sessions.
async function isPasswordUnchanged(tx: Sql, user: UserRow): Promise<boolean> {
  const [row] = await tx.query({
    name: "lock-password",
    text: "select 1 from users where id = $1 and password_hash = $2 for update",
    values: [user.id, user.password_hash],
  });
  return row !== undefined;
}

/** The names of sign-in methods in account events (contract.md 4.3). */
const METHODS = { password: "code", oidc: "sso" } as const;

interface HowProved {
  method: keyof typeof METHODS;
  provedAt?: Date | null;
}

async function admit(
  tx: Sql,
  user: UserRow,
  { method, provedAt }: HowProved,
  cookies: SignInCookies,
): Promise<SignedInUser> {
  await tx.query({
    name: "admit-user",
    text: "update users set last_sign_in_at = $2 where id = $1",
    values: [user.id, now()],
  });
  const change = await memberChange(tx, user);
  await recordUserAudit(tx, user.id, "user.signed_in", { traceId: change.traceId, detail: { method } });
  const team_member = { id: user.id, name: user.name };
  await emitAccountEvent(tx, change, TEAM_MEMBER_EVENTS["team_member.signed_in"], {
    team_member,
    method: METHODS[method],
  });
  const newSession = { userId: user.id, method, provedAt, replaces: cookies.session ?? null };
  const sessionToken = await openSession(tx, newSession);
  return { id: user.id, email: user.email, name: user.name, sessionToken };
}
