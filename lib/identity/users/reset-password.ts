import "server-only";
import { z } from "zod";
import { endSessions } from "@/lib/identity/users/end-sessions";
import { getMembership, lockMembers } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { PasswordLink, toPasswordLink } from "@/lib/identity/users/person";
import { requireFreshProof } from "@/lib/identity/users/require-fresh-proof";
import { createSignInLink, type NewSignInLink } from "@/lib/identity/users/sign-in-link";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

export const ResetPassword = contract({
  summary: "Reset a person's password",
  tag: "People",
  right: "manage_people",
  params: z.object({ userId: z.uuid() }),
  returns: z.object({ link: PasswordLink }),
  status: 201,
  errors: ["access_denied", "proof_required", "name_unknown"],
  extension: true,
});

/**
 * Removes a person's password, ends their sessions and creates the one-time link that sets a new password. Since the
 * link is enough to sign in as that person, only the operator may reset the password of a person who belongs to another
 * partner too. Errors: access_denied, proof_required, name_unknown.
 */
export async function resetPassword(ctx: Context, { params }: Pick<Input<typeof ResetPassword>, "params">) {
  requireFreshProof(ctx);

  const change = partnerChangeOf(ctx);
  const link = await transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    const { isShared } = await getMembership(tx, change.partnerId, params.userId);
    if (isShared) {
      fail(
        "access_denied",
        "this person also belongs to another partner: ask the operator to reset the password",
      );
    }
    await recordMemberAudit(tx, change, params.userId, "user.password_reset");
    return clearPassword(tx, params.userId);
  });
  return { link: toPasswordLink(link) };
}

/** Removes a user's password and ends their sessions. Returns the one-time link that sets a new password. */
export async function clearPassword(tx: Sql, userId: string): Promise<NewSignInLink> {
  await tx.query({
    name: "reset-password",
    text: "update users set password_hash = null where id = $1",
    values: [userId],
  });
  await endSessions(tx, userId);
  return createSignInLink(tx, userId);
}
