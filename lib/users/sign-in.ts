import "server-only";
import { emitAccountEvent } from "@/lib/events/emit-account-event";
import { now } from "@/lib/platform/clock";
import { type Sql, transaction } from "@/lib/platform/db";
import { verifyPassword } from "@/lib/users/hash-password";
import { lockSeconds } from "@/lib/users/lock-seconds";
import { memberDeed } from "@/lib/users/member-deed";
import { recordUserAudit } from "@/lib/users/record-user-audit";
import { claimUnknownAttempt } from "@/lib/users/unknown-attempts";
import { EmailAddress, type SignedInUser } from "@/lib/users/user";

export type SignInOutcome =
  | { outcome: "signed_in"; user: SignedInUser }
  | { outcome: "refused" }
  | { outcome: "locked"; retryAfterSeconds: number };

interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  session_version: number;
  failed_sign_ins: number;
  locked_until: Date | null;
}

/**
 * Checks an e-mail and a password. An attempt counts as failed until it has proved itself, so attempts made at the same
 * time do not slip past the lock. An unknown e-mail costs the same work, locks alike and gets the same answers.
 */
export async function signIn(email: string, password: string): Promise<SignInOutcome> {
  const address = EmailAddress.safeParse(email);
  if (!address.success) return { outcome: "refused" };

  const attempt = await transaction((tx) => claimAttempt(tx, address.data));
  if (attempt.lockedSeconds > 0) return { outcome: "locked", retryAfterSeconds: attempt.lockedSeconds };

  const { user } = attempt;
  const matches = await verifyPassword(user?.password_hash ?? null, password);
  if (user === null) return { outcome: "refused" };

  if (!matches) {
    await transaction((tx) => recordUserAudit(tx, user.id, "user.sign_in_failed"));
    return { outcome: "refused" };
  }
  return { outcome: "signed_in", user: await admit(user, "password") };
}

/** Signs a user in whom the organization's own sign-on vouches for, by verified e-mail. null when there is none. */
export async function signInVouchedFor(email: string): Promise<SignedInUser | null> {
  const address = EmailAddress.safeParse(email);
  const user = address.success ? await transaction((tx) => selectUser(tx, address.data)) : null;
  return user === null ? null : admit(user, "oidc");
}

async function claimAttempt(
  tx: Sql,
  email: string,
): Promise<{ user: UserRow | null; lockedSeconds: number }> {
  const at = now();
  const user = await selectUser(tx, email);
  if (user === null) return { user, lockedSeconds: claimUnknownAttempt(email, at) };

  const lockedMs = (user.locked_until?.getTime() ?? 0) - at.getTime();
  if (lockedMs > 0) return { user, lockedSeconds: Math.ceil(lockedMs / 1000) };

  const failures = user.failed_sign_ins + 1;
  const lockMs = lockSeconds(failures) * 1000;
  await tx.query({
    name: "claim-sign-in",
    text: "update users set failed_sign_ins = $2, locked_until = $3 where id = $1",
    values: [user.id, failures, lockMs === 0 ? null : new Date(at.getTime() + lockMs)],
  });
  return { user, lockedSeconds: 0 };
}

async function selectUser(tx: Sql, email: string): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>({
    name: "user-by-email",
    text: `select id, email, name, password_hash, session_version, failed_sign_ins, locked_until
           from users where email = $1 for update`,
    values: [email],
  });
  return row ?? null;
}

/** What account events call a way to sign in (contract.md 4.3). */
const METHODS = { password: "code", oidc: "sso" } as const;

async function admit(user: UserRow, method: keyof typeof METHODS): Promise<SignedInUser> {
  await transaction(async (tx) => {
    await tx.query({
      name: "admit-user",
      text: "update users set failed_sign_ins = 0, locked_until = null, last_sign_in_at = $2 where id = $1",
      values: [user.id, now()],
    });
    const deed = await memberDeed(tx, user);
    await recordUserAudit(tx, user.id, "user.signed_in", { traceId: deed.traceId, detail: { method } });
    const team_member = { id: user.id, name: user.name };
    await emitAccountEvent(tx, deed, "team_member.signed_in", { team_member, method: METHODS[method] });
  });
  return { id: user.id, email: user.email, name: user.name, sessionVersion: user.session_version };
}
