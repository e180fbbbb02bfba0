import "server-only";
import { addMember } from "@/lib/identity/people/add-member";
import { setMemberRole } from "@/lib/identity/people/change-role";
import { removeMember } from "@/lib/identity/people/remove-person";
import { findMembership, lockMembers } from "@/lib/identity/users/membership";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

type GroupMember = RowOf<"find-member">;

type GroupRole = RowOf<"list-group-roles">;

/**
 * Gives a person the memberships and roles of their groups, and ends those of groups that they left: also the last
 * admin's, because the identity provider decides. Memberships that people created stay as they are. A person whose role
 * changed or who lost a partner is signed out of it. Groups that are unknown (null) change nothing.
 */
export async function syncGroups(
  tx: Sql,
  person: GroupMember,
  groups: readonly string[] | null,
): Promise<void> {
  if (groups === null) return;
  const wanted = await rolesOf(tx, groups);
  const held = await partnersFromGroups(tx, person.id);
  const partnerIds = [...new Set([...wanted.keys(), ...held])].sort();
  // In one order, and all before any user, as every change of people: two changes cannot wait for each other.
  for (const partnerId of partnerIds) await lockMembers(tx, partnerId);
  for (const partnerId of partnerIds) {
    await syncPartner(tx, partnerId, { person, wanted: wanted.get(partnerId) });
  }
}

/** Whether any partner gives one of the groups a role. */
export async function hasRoleForGroups(tx: Sql, groups: readonly string[] | null): Promise<boolean> {
  return groups !== null && (await rolesOf(tx, groups)).size > 0;
}

interface PartnerSync {
  person: GroupMember;
  wanted: GroupRole | undefined;
}

async function syncPartner(tx: Sql, partnerId: string, { person, wanted }: PartnerSync): Promise<void> {
  const change = systemPartnerChange(partnerId);
  const member = await findMembership(tx, partnerId, person.id);
  if (member === null) {
    if (wanted !== undefined)
      await addMember(tx, change, { ...person, ...wanted, isProved: true, bySso: { sessionId: null } });
  } else if (member.fromGroup) {
    if (wanted === undefined) await removeMember(tx, change, member.userId, { byProvider: true });
    else await setMemberRole(tx, change, { userId: member.userId, role: wanted.role, group: wanted.group });
  }
}

const ROLES_OF_GROUPS = statement(
  "roles-of-groups",
  `select distinct on (partner_id) partner_id, group_name, role from group_roles
  where group_name = any(:groups::text[]) order by partner_id, role, group_name`,
);

/** The most privileged role of the groups in each partner. */
async function rolesOf(tx: Sql, groups: readonly string[]): Promise<Map<string, GroupRole>> {
  if (groups.length === 0) return new Map();
  const rows = await tx.run(ROLES_OF_GROUPS, { groups });
  return new Map(rows.map(({ partner_id, group_name: group, role }) => [partner_id, { group, role }]));
}

const PARTNERS_FROM_GROUPS = statement(
  "partners-from-groups",
  "select partner_id from memberships where user_id = :userId and from_group",
);

async function partnersFromGroups(tx: Sql, userId: string): Promise<string[]> {
  const rows = await tx.run(PARTNERS_FROM_GROUPS, { userId });
  return rows.map(({ partner_id }) => partner_id);
}
