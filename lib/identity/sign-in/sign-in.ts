import "server-only";
import { knownDevice } from "@/lib/identity/sessions/known-device";
import { admitUser, type SignInCookies } from "@/lib/identity/sign-in/admit-user";
import { verifyPassword } from "@/lib/identity/sign-in/hash-password";
import {
  claimAttemptNow,
  revertAttempt,
  signInThrottles,
  type Throttle,
} from "@/lib/identity/sign-in/throttle-attempts";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { EmailAddress, type SignedInUser } from "@/lib/identity/users/user";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

export type SignInOutcome =
  | { outcome: "signed_in"; user: SignedInUser }
  | { outcome: "refused" }
  /** The password is right, but all of the person's partners require single sign-on. */
  | { outcome: "sso_required" }
  | { outcome: "locked"; retryAfterSeconds: number };

const UNUSED_ID = "00000000-0000-0000-0000-000000000000";

type UserRow = RowOf<"user-by-email">;

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
  const throttles = signInThrottles(address.data, device);
  const lockedSeconds = await claimAttemptNow(throttles, now());
  if (lockedSeconds > 0) return { outcome: "locked", retryAfterSeconds: lockedSeconds };

  const matches = await verifyPassword(user?.password_hash ?? null, password);
  if (user === null || !matches) {
    await transaction((tx) => recordRefusal(tx, user, throttles));
    return { outcome: "refused" };
  }
  return transaction(async (tx) => {
    if (!(await isPasswordUnchanged(tx, user))) return { outcome: "refused" };
    await revertAttempt(tx, throttles);
    const admitted = await admitUser(tx, user, { method: "password" }, cookies);
    return admitted === null ? { outcome: "sso_required" } : { outcome: "signed_in", user: admitted };
  });
}

const PARTNERS_OF_UNKNOWN_USER = statement(
  "partners-of-unknown-user",
  "select partner_id from memberships where user_id = :unusedid",
);

const NOTE_REFUSED_ATTEMPT = statement(
  "note-refused-attempt",
  "update sign_in_throttles set last_attempt_at = last_attempt_at where key = :key",
);

// An unknown address costs as many statements and as much writing as a known one, or the time would tell them apart.
async function recordRefusal(tx: Sql, user: UserRow | null, throttles: readonly Throttle[]): Promise<void> {
  if (user !== null) return recordUserAudit(tx, user.id, "user.sign_in_failed");
  await tx.run(PARTNERS_OF_UNKNOWN_USER, { unusedid: UNUSED_ID });
  await tx.run(NOTE_REFUSED_ATTEMPT, { key: throttles.at(-1)?.key });
}

const USER_BY_EMAIL = statement(
  "user-by-email",
  "select id, email, name, password_hash from users where email = :email",
);

async function findUser(email: string): Promise<UserRow | null> {
  const [row] = await sql.run(USER_BY_EMAIL, { email });
  return row ?? null;
}

const LOCK_PASSWORD = statement(
  "lock-password",
  "select 1 from users where id = :userId and password_hash = :passwordHash for update",
);

// A password change ends the user's sessions, so the old password must not open another one afterwards. This locks the
// user's row, which a password change locks before it ends the sessions.
async function isPasswordUnchanged(tx: Sql, user: UserRow): Promise<boolean> {
  const [row] = await tx.run(LOCK_PASSWORD, { userId: user.id, passwordHash: user.password_hash });
  return row !== undefined;
}
