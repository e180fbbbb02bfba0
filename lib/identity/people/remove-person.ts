import "server-only";
import { z } from "zod";
import { leaveTeams } from "@/lib/identity/people/leave-teams";
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
import { byKey, type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

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

const CANCEL_INVITATION = statement(
  "cancel-invitation",
  "delete from invitations where partner_id = :partnerId and id = :id returning email, role",
);

/** Cancels an invitation, whose link becomes invalid. Returns false when there is none. */
async function cancelInvitation(tx: Sql, change: PartnerChange, id: string): Promise<boolean> {
  const [canceled] = await tx.run(CANCEL_INVITATION, { partnerId: change.partnerId, id });
  if (canceled === undefined) return false;
  await recordMemberAudit(tx, change, id, "user.invitation_canceled", canceled);
  return true;
}

const DELETE_MEMBERSHIP = statement(
  "delete-membership",
  "delete from memberships where partner_id = :partnerId and user_id = :userId",
);

// Chats are always locked in id order, so two transactions can't deadlock.
const UNASSIGN_CHATS_OF_REMOVED = statement(
  "unassign-chats-of-removed",
  `with locked as materialized (
    select account_id, id from chats where assigned_to = :userId
      and account_id in (select id from accounts where partner_id = :partnerId)
    order by account_id, id for no key update
  )
  update chats c set assigned_to = null from locked l
  where ${byKey("c", { account_id: "l.account_id", id: "l.id" })}`,
);

const DELETE_LINKS_OF_REMOVED = statement(
  "delete-links-of-removed",
  `delete from sign_in_links where user_id = :userId
  and not exists (select 1 from memberships where user_id = :userId)`,
);

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

  await tx.run(DELETE_MEMBERSHIP, { partnerId, userId });
  // Before the chats, as in the deletion of a team: otherwise each could wait for the other.
  await leaveTeams(tx, partnerId, userId);
  // Those without a team are under Unassigned, the others stay with theirs.
  await tx.run(UNASSIGN_CHATS_OF_REMOVED, { partnerId, userId });
  // Otherwise an unused link of a person without any partner could still set a password.
  await tx.run(DELETE_LINKS_OF_REMOVED, { userId });
  await endSessionsInPartner(tx, partnerId, userId);
  const detail = {
    email: member.email,
    role: member.role,
    ...(byProvider && { reason: "left_group" }),
  };
  await recordMemberAudit(tx, change, userId, "user.removed", detail);
}
