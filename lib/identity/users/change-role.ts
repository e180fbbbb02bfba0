import "server-only";
import { z } from "zod";
import { endSessions } from "@/lib/identity/users/end-sessions";
import { failIfLastAdmin, getMembership, lockMembers } from "@/lib/identity/users/membership";
import { type PartnerChange, partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { RoleName } from "@/lib/identity/users/person";
import { requireFreshProof } from "@/lib/identity/users/require-fresh-proof";
import type { Context, Role } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/db";

export const ChangeRole = contract({
  summary: "Change a person's role",
  tag: "People",
  right: "manage_people",
  params: z.object({ userId: z.uuid() }),
  body: z.object({ role: RoleName }),
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown", "parameter_invalid", "state_conflict"],
  extension: true,
});

/**
 * Changes the role of a person in the account's partner and ends all their sessions. Setting the same role changes
 * nothing. Errors: proof_required, name_unknown, state_conflict for the last admin.
 */
export async function changeRole(
  ctx: Context,
  { params, body }: Pick<Input<typeof ChangeRole>, "params" | "body">,
): Promise<undefined> {
  requireFreshProof(ctx);
  await transaction((tx) => setMemberRole(tx, partnerChangeOf(ctx), params.userId, body.role));
}

/** Like `changeRole`, for any actor. Errors: name_unknown, state_conflict. */
export async function setMemberRole(
  tx: Sql,
  change: PartnerChange,
  userId: string,
  role: Role,
): Promise<void> {
  const { partnerId } = change;
  await lockMembers(tx, partnerId);
  const member = await getMembership(tx, partnerId, userId);
  if (member.role === role) return;
  if (member.role === "admin") await failIfLastAdmin(tx, partnerId, userId);

  await tx.query({
    name: "set-role",
    text: "update memberships set role = $3 where partner_id = $1 and user_id = $2",
    values: [partnerId, userId, role],
  });
  await endSessions(tx, userId);
  const detail = { email: member.email, from: member.role, to: role };
  await recordMemberAudit(tx, change, userId, "user.role_changed", detail);
}
