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
import { RoleName } from "@/lib/identity/users/person";
import type { Context, Role } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { roleHasRight } from "@/lib/platform/rights/role-rights";

export const ChangeRole = contract({
  summary: "Change a person's role",
  tag: "People",
  right: "manage_people",
  proof: true,
  params: z.object({ userId: z.uuid() }),
  body: z.object({ role: RoleName }),
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown", "parameter_invalid", "state_conflict"],
  extension: true,
});

/**
 * Changes the role of a person in the account's partner and ends their sessions in the partner. Setting the same role changes
 * nothing. Errors: proof_required, name_unknown, state_conflict for the last admin and for a role from a
 * group.
 */
export async function changeRole(
  ctx: Context,
  { params, body }: Pick<Input<typeof ChangeRole>, "params" | "body">,
): Promise<undefined> {
  requireFreshProof(ctx);
  const change = partnerChangeOf(ctx);
  await transaction(async (tx) => {
    await lockMembers(tx, change.partnerId);
    if (await setInvitedRole(tx, change, { userId: params.userId, role: body.role })) return;
    failIfFromGroup(await getMembership(tx, change.partnerId, params.userId));
    await setMemberRole(tx, change, { userId: params.userId, role: body.role });
  });
}

const INVITED_ROLE = statement(
  "invited-role",
  "select email, role from invitations where partner_id = :partnerId and id = :id",
);

const SET_INVITED_ROLE = statement(
  "set-invited-role",
  "update invitations set role = :role where partner_id = :partnerId and id = :id",
);

/** Changes the role that a person gets by accepting. Returns false when the person has no open invitation. */
async function setInvitedRole(
  tx: Sql,
  change: PartnerChange,
  { userId: id, role }: { userId: string; role: Role },
): Promise<boolean> {
  const [invited] = await tx.run(INVITED_ROLE, { partnerId: change.partnerId, id });
  if (invited === undefined) return false;
  if (invited.role === role) return true;
  await tx.run(SET_INVITED_ROLE, { partnerId: change.partnerId, id, role });
  const detail = { email: invited.email, from: invited.role, to: role };
  await recordMemberAudit(tx, change, id, "user.role_changed", detail);
  return true;
}

interface NewRole {
  userId: string;
  role: Role;
  /** The group of the identity provider that the role comes from. The provider may also demote the last admin. */
  group?: string;
}

const SET_ROLE = statement(
  "set-role",
  "update memberships set role = :role, from_group = :fromGroup where partner_id = :partnerId and user_id = :userId",
);

/**
 * Like `changeRole`, for any actor. A role that does not come from a group stays when groups change. Who can't answer chats
 * any more leaves the teams. Errors: name_unknown, state_conflict.
 */
export async function setMemberRole(
  tx: Sql,
  change: PartnerChange,
  { userId, role, group }: NewRole,
): Promise<void> {
  const { partnerId } = change;
  await lockMembers(tx, partnerId);
  const member = await getMembership(tx, partnerId, userId);
  if (member.role === role && member.fromGroup === (group !== undefined)) return;
  if (member.role === "admin" && group === undefined) await failIfLastAdmin(tx, partnerId, userId);

  await tx.run(SET_ROLE, { partnerId, userId, role, fromGroup: group !== undefined });
  if (!roleHasRight({ role }, "send_messages")) await leaveTeams(tx, partnerId, userId);
  await endSessionsInPartner(tx, partnerId, userId);
  const detail = { email: member.email, from: member.role, to: role, ...(group !== undefined && { group }) };
  await recordMemberAudit(tx, change, userId, "user.role_changed", detail);
}
