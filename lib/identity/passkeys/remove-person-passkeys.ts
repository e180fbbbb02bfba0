import "server-only";
import { z } from "zod";
import { lockCredentials } from "@/lib/identity/passkeys/user-passkey";
import { endSessions } from "@/lib/identity/users/end-sessions";
import { getMembership } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { requireFreshProof } from "@/lib/identity/users/require-fresh-proof";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

export const RemovePersonPasskeys = contract({
  summary: "Remove a person's passkeys",
  tag: "People",
  right: "manage_people",
  params: z.object({ userId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown"],
  extension: true,
});

/**
 * Removes all passkeys of a person who lost them and ends the person's sessions. The person then signs in with the
 * password and can add a passkey. Only the operator may do this for a person who belongs to another partner too, like a
 * password reset. Errors: access_denied, proof_required, name_unknown.
 */
export async function removePersonPasskeys(
  ctx: Context,
  { params }: Pick<Input<typeof RemovePersonPasskeys>, "params">,
): Promise<undefined> {
  requireFreshProof(ctx);
  const change = partnerChangeOf(ctx);
  await transaction(async (tx) => {
    const { isShared } = await getMembership(tx, change.partnerId, params.userId);
    if (isShared) {
      fail(
        "access_denied",
        "this person also belongs to another partner: ask the operator to remove the passkeys",
      );
    }
    const count = await clearPasskeys(tx, params.userId);
    await recordMemberAudit(tx, change, params.userId, "user.passkeys_removed", { count });
  });
}

/** Removes a person's passkeys and ends their sessions. Returns the number of passkeys. */
export async function clearPasskeys(tx: Sql, userId: string): Promise<number> {
  await lockCredentials(tx, userId);
  const removed = await tx.query({
    name: "remove-passkeys",
    text: "delete from user_passkeys where user_id = $1 returning 1",
    values: [userId],
  });
  await endSessions(tx, userId);
  return removed.length;
}
