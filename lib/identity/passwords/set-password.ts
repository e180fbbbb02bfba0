import "server-only";
import { passwordSetMail } from "@/lib/identity/mail/mail-texts";
import { queueMail } from "@/lib/identity/mail/queue-mail";
import { needsPasskey } from "@/lib/identity/passkeys/passkey-rule";
import { deletePasskeys, lockCredentials } from "@/lib/identity/passkeys/user-passkey";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { consumeSignInLink, findSignInLink } from "@/lib/identity/users/sign-in-link";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/**
 * Sets a user's password to the one of a hash by `hashPassword`, and ends all of the user's sessions and unused links. The
 * caller hashes before the transaction, which would hold its connection and its locks meanwhile.
 */
export async function setPassword(
  tx: Sql,
  userId: string,
  passwordHash: string,
  actorType: "user" | "system" = "system",
): Promise<void> {
  await tx.query({
    name: "set-password",
    text: "update users set password_hash = $2 where id = $1",
    values: [userId, passwordHash],
  });
  await tx.query({
    name: "end-sign-in-links",
    text: "delete from sign_in_links where user_id = $1 and used_at is null",
    values: [userId],
  });
  await endSessions(tx, userId);
  await recordUserAudit(tx, userId, "user.password_set", { actorType });
}

/**
 * Sets a password through a one-time link, which is then used up, and tells the person by email. The person's passkeys are
 * removed, because an intruder may have added them. Where a partner requires a passkey of the
 * person they stay: a mailbox alone must not replace the second factor. They go where an admin could have added them, who
 * was shown the link of the earlier password. Returns the user's email, or null when the link is
 * invalid.
 */
export async function setPasswordByLink(token: string, password: string): Promise<string | null> {
  const user = await findSignInLink(token);
  if (user === null) return null;

  const passwordHash = await hashPassword(password);
  return transaction(async (tx) => {
    const { isProved } = await lockCredentials(tx, user.id);
    const link = await consumeSignInLink(tx, token);
    if (link === null) return null;
    const { userId, isProof } = link;
    await setPassword(tx, userId, passwordHash, "user");
    await recordProof(tx, userId, isProof);
    const keepsPasskeys = isProved && (await needsPasskey(tx, userId));
    const passkeys = keepsPasskeys ? 0 : await deletePasskeys(tx, userId);
    if (passkeys > 0) {
      await recordUserAudit(tx, userId, "user.passkeys_removed", {
        detail: { count: passkeys, reason: "password_set" },
      });
    }
    const mail = passwordSetMail({ passkeys, keepsPasskeys, at: now() });
    await queueMail(tx, { type: "password_reset", recipient: user.email, mail });
    return user.email;
  });
}

/** Stores whether the person who set the credentials has proved the email address. */
export async function recordProof(tx: Sql, userId: string, isProof: boolean): Promise<void> {
  await tx.query({
    name: "record-address-proof",
    text: "update users set address_proved_at = $2 where id = $1",
    values: [userId, isProof ? now() : null],
  });
}
