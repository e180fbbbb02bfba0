import "server-only";
import { endSessions } from "@/lib/identity/users/end-sessions";
import { hashPassword } from "@/lib/identity/users/hash-password";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { consumeSignInLink, findSignInLink } from "@/lib/identity/users/sign-in-link";
import { type Sql, transaction } from "@/lib/platform/db";

/** Sets a user's password and ends all of the user's sessions and unused links. `password` has been parsed with `Password`. */
export async function setPassword(
  tx: Sql,
  userId: string,
  password: string,
  actorType: "user" | "system" = "system",
): Promise<void> {
  await tx.query({
    name: "set-password",
    text: "update users set password_hash = $2 where id = $1",
    values: [userId, await hashPassword(password)],
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
 * Sets the first password through a one-time link, which is then used up. Returns the user's email, or null when the
 * link is invalid.
 */
export async function setPasswordByLink(token: string, password: string): Promise<string | null> {
  const user = await findSignInLink(token);
  if (user === null) return null;

  return transaction(async (tx) => {
    const userId = await consumeSignInLink(tx, token);
    if (userId === null) return null;
    await setPassword(tx, userId, password, "user");
    return user.email;
  });
}
