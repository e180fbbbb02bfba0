import "server-only";
import { z } from "zod";
import { endSessions } from "@/lib/identity/users/end-sessions";
import {
  failIfFromGroup,
  failIfLastAdmin,
  getMembership,
  lockMembers,
} from "@/lib/identity/users/membership";
import { type PartnerChange, partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { requireFreshProof } from "@/lib/identity/users/require-fresh-proof";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/db";

export const RemovePerson = contract({
  summary: "Remove a person",
  tag: "People",
  right: "manage_people",
  params: z.object({ userId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown", "state_conflict"],
  extension: true,
});

/**
 * Removes a person's access to the account's partner and ends all their sessions. Their audit entries are kept, and API
 * tokens they created keep working. Errors: proof_required, name_unknown, state_conflict for the last admin and
 * for access from a group.
 */
export async function removePerson(
  ctx: Context,
  { params }: Pick<Input<typeof RemovePerson>, "params">,
): Promise<undefined> {
  requireFreshProof(ctx);
  const change = partnerChangeOf(ctx);
  await transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    failIfFromGroup(await getMembership(tx, change.partnerId, params.userId));
    await removeMember(tx, change, params.userId);
  });
}

/**
 * Like `removePerson`, for any actor. The identity provider may also remove the last admin. Errors: name_unknown,
 * state_conflict.
 */
export async function removeMember(
  tx: Sql,
  change: PartnerChange,
  userId: string,
  { byProvider = false }: { byProvider?: boolean } = {},
): Promise<void> {
  const { partnerId } = change;
  await lockMembers(tx, partnerId);
  const member = await getMembership(tx, partnerId, userId);
  if (member.role === "admin" && !byProvider) await failIfLastAdmin(tx, partnerId, userId);

  await tx.query({
    name: "delete-membership",
    text: "delete from memberships where partner_id = $1 and user_id = $2",
    values: [partnerId, userId],
  });
  // Otherwise an unused link of a person without any partner could still set a password.
  await tx.query({
    name: "delete-links-of-removed",
    text: `delete from sign_in_links where user_id = $1
             and not exists (select 1 from memberships where user_id = $1)`,
    values: [userId],
  });
  await endSessions(tx, userId);
  const detail = {
    email: member.email,
    role: member.role,
    ...(byProvider && { reason: "left_group" }),
  };
  await recordMemberAudit(tx, change, userId, "user.removed", detail);
}
