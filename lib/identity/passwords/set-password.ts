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
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const SET_PASSWORD = statement(
  "set-password",
  "update users set password_hash = :passwordHash where id = :userId",
);

const END_SIGN_IN_LINKS = statement(
  "end-sign-in-links",
  "delete from sign_in_links where user_id = :userId and used_at is null",
);

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
  await tx.run(SET_PASSWORD, { userId, passwordHash });
  await tx.run(END_SIGN_IN_LINKS, { userId });
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

const RECORD_ADDRESS_PROOF = statement(
  "record-address-proof",
  "update users set address_proved_at = :addressProvedAt where id = :userId",
);

/** Stores whether the person who set the credentials has proved the email address. */
export async function recordProof(tx: Sql, userId: string, isProof: boolean): Promise<void> {
  await tx.run(RECORD_ADDRESS_PROOF, { userId, addressProvedAt: isProof ? now() : null });
}
