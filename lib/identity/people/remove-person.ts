import "server-only";
import { z } from "zod";
import { endSessionsInPartner } from "@/lib/identity/sessions/end-sessions";
import { requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import {
  failIfFromGroup,
  failIfLastAdmin,
  getMembership,
  lockMembers,
} from "@/lib/identity/users/membership";
import { type PartnerChange, partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";

export const RemovePerson = contract({
  summary: "Remove a person",
  tag: "People",
  right: "manage_people",
  proof: true,
  params: z.object({ userId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown", "state_conflict"],
  extension: true,
});

/**
 * Removes a person's access to the account's partner and ends their sessions in the partner. Their audit entries are kept, and API
 * tokens they created keep working. An invitation that was not accepted is canceled. Errors: proof_required, name_unknown, state_conflict for the last admin and
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
    if (await cancelInvitation(tx, change, params.userId)) return;
    failIfFromGroup(await getMembership(tx, change.partnerId, params.userId));
    await removeMember(tx, change, params.userId);
  });
}

/** Cancels an invitation, whose link becomes invalid. Returns false when there is none. */
async function cancelInvitation(tx: Sql, change: PartnerChange, id: string): Promise<boolean> {
  const [canceled] = await tx.query<{ email: string; role: string }>({
    name: "cancel-invitation",
    text: "delete from invitations where partner_id = $1 and id = $2 returning email, role",
    values: [change.partnerId, id],
  });
  if (canceled === undefined) return false;
  await recordMemberAudit(tx, change, id, "user.invitation_canceled", canceled);
  return true;
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
  await endSessionsInPartner(tx, partnerId, userId);
  const detail = {
    email: member.email,
    role: member.role,
    ...(byProvider && { reason: "left_group" }),
  };
  await recordMemberAudit(tx, change, userId, "user.removed", detail);
}
