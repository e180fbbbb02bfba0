import "server-only";
import { z } from "zod";
import { clearedPasswordMail } from "@/lib/identity/mail/mail-texts";
import { isMailOn, queueMail } from "@/lib/identity/mail/queue-mail";
import { deletePasskeys, lockCredentials } from "@/lib/identity/passkeys/user-passkey";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import { requirePower } from "@/lib/identity/sign-in/require-power";
import { failIfSsoRequired } from "@/lib/identity/sign-in/sso-only";
import { getMembership, lockMembers } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { PasswordLink, toPasswordLink } from "@/lib/identity/users/person";
import { createSignInLink } from "@/lib/identity/users/sign-in-link";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

export const ResetPassword = contract({
  summary: "Reset a person's password",
  tag: "People",
  right: "manage_people",
  proof: true,
  params: z.object({ userId: z.uuid() }),
  returns: z.object({
    /** null when Trunkline sends the link to the person by email, and to no one else. */
    link: PasswordLink.nullable(),
    /** Whether Trunkline sends the link to the person by email. */
    emailed: z.boolean(),
  }),
  status: 201,
  errors: ["access_denied", "proof_required", "name_unknown", "state_conflict"],
  extension: true,
});

interface ClearedPassword {
  link: z.infer<typeof PasswordLink>;
  emailed: boolean;
}

/**
 * Removes a person's password and passkeys, ends their sessions and creates the one-time link that sets a new password.
 * The link is enough to sign in as that person, so Trunkline sends it to the person's address; without email, the admin
 * gets it. Errors: access_denied (`requirePower`), proof_required, name_unknown, state_conflict where single sign-on is
 * required.
 */
export async function resetPassword(ctx: Context, { params }: Pick<Input<typeof ResetPassword>, "params">) {
  requireFreshProof(ctx);

  const change = partnerChangeOf(ctx);
  return transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    await failIfSsoRequired(tx, change.partnerId);
    // First, so that the person joins no other partner in between.
    await lockCredentials(tx, params.userId);
    const member = await getMembership(tx, change.partnerId, params.userId);
    requirePower(ctx.actor, member);
    await recordMemberAudit(tx, change, params.userId, "user.password_reset");
    const isMailed = isMailOn();
    const { link, emailed } = await clearPassword(tx, params.userId, member.email, { isProof: isMailed });
    return { link: isMailed ? null : link, emailed };
  });
}

const RESET_PASSWORD = statement(
  "reset-password",
  "update users set password_hash = null where id = :userId",
);

/**
 * Removes a user's password and passkeys, and ends their sessions. Returns the one-time link that sets a new password, and
 * whether the user gets it by email. `isProof` says whether using the link proves the email address.
 */
export async function clearPassword(
  tx: Sql,
  userId: string,
  email: string,
  { isProof }: { isProof: boolean },
): Promise<ClearedPassword> {
  await tx.run(RESET_PASSWORD, { userId });
  await deletePasskeys(tx, userId);
  await endSessions(tx, userId);
  const link = toPasswordLink(await createSignInLink(tx, userId, { isProof }));
  const mail = clearedPasswordMail(link.url);
  return { link, emailed: await queueMail(tx, { type: "password_reset", recipient: email, mail }) };
}
