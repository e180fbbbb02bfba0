import "server-only";
import { z } from "zod";
import { clearedPasswordMail } from "@/lib/identity/mail/mail-texts";
import { queueMail } from "@/lib/identity/mail/queue-mail";
import { failIfSsoRequired } from "@/lib/identity/sso/sso-only";
import { endSessions } from "@/lib/identity/users/end-sessions";
import { getMembership, lockMembers } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { PasswordLink, toPasswordLink } from "@/lib/identity/users/person";
import { requireFreshProof } from "@/lib/identity/users/require-fresh-proof";
import { createSignInLink } from "@/lib/identity/users/sign-in-link";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

export const ResetPassword = contract({
  summary: "Reset a person's password",
  tag: "People",
  right: "manage_people",
  params: z.object({ userId: z.uuid() }),
  returns: z.object({
    link: PasswordLink,
    /** Whether Trunkline sends the link to the person by email. */
    emailed: z.boolean(),
  }),
  status: 201,
  errors: ["access_denied", "proof_required", "name_unknown", "state_conflict"],
  extension: true,
});

type ClearedPassword = z.infer<typeof ResetPassword.returns>;

/**
 * Removes a person's password, ends their sessions and creates the one-time link that sets a new password. Since the
 * link is enough to sign in as that person, only the operator may reset the password of a person who belongs to another
 * partner too. Errors: access_denied, proof_required, name_unknown, state_conflict where single sign-on is required.
 */
export async function resetPassword(ctx: Context, { params }: Pick<Input<typeof ResetPassword>, "params">) {
  requireFreshProof(ctx);

  const change = partnerChangeOf(ctx);
  return transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    await failIfSsoRequired(tx, change.partnerId);
    const { email, isShared } = await getMembership(tx, change.partnerId, params.userId);
    if (isShared) {
      fail(
        "access_denied",
        "this person also belongs to another partner: ask the operator to reset the password",
      );
    }
    await recordMemberAudit(tx, change, params.userId, "user.password_reset");
    return clearPassword(tx, params.userId, email);
  });
}

/**
 * Removes a user's password and ends their sessions. Returns the one-time link that sets a new password, and whether the
 * user gets it by email.
 */
export async function clearPassword(tx: Sql, userId: string, email: string): Promise<ClearedPassword> {
  await tx.query({
    name: "reset-password",
    text: "update users set password_hash = null where id = $1",
    values: [userId],
  });
  await endSessions(tx, userId);
  const link = toPasswordLink(await createSignInLink(tx, userId));
  const mail = clearedPasswordMail(link.url);
  return { link, emailed: await queueMail(tx, { type: "password_reset", recipient: email, mail }) };
}
