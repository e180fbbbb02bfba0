import "server-only";
import { addMember } from "@/lib/identity/users/add-member";
import { setMemberRole } from "@/lib/identity/users/change-role";
import { findMembership, lockMembers } from "@/lib/identity/users/membership";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { removeMember } from "@/lib/identity/users/remove-person";
import type { Role } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/db";

interface GroupMember {
  /** Normalized by `EmailAddress`. */
  email: string;
  name: string;
  groups: readonly string[];
}

interface GroupRole {
  group: string;
  role: Role;
}

/**
 * Gives a person the memberships and roles of their groups, and ends those of groups that they left: also the last
 * admin's, because the identity provider decides. Memberships that people created stay as they are. A person whose role
 * changed or who lost a partner is signed out. Returns the person's id; null for an unknown person without such groups.
 */
export async function syncGroups(tx: Sql, person: GroupMember): Promise<string | null> {
  const wanted = await rolesOf(tx, person.groups);
  let userId = await findUser(tx, person.email);
  const held = userId === null ? [] : await partnersFromGroups(tx, userId);
  // In one order, so that two sign-ins cannot wait for each other.
  for (const partnerId of [...new Set([...wanted.keys(), ...held])].sort()) {
    userId = (await syncPartner(tx, partnerId, { person, userId, wanted: wanted.get(partnerId) })) ?? userId;
  }
  return userId;
}

interface PartnerSync {
  person: GroupMember;
  userId: string | null;
  wanted: GroupRole | undefined;
}

async function syncPartner(tx: Sql, partnerId: string, sync: PartnerSync): Promise<string | null> {
  const { person, userId, wanted } = sync;
  const change = systemPartnerChange(partnerId);
  await lockMembers(tx, partnerId);
  const member = userId === null ? null : await findMembership(tx, partnerId, userId);
  if (member === null) {
    if (wanted === undefined) return null;
    return (await addMember(tx, change, { email: person.email, name: person.name, ...wanted })).userId;
  }
  if (!member.fromGroup) return member.userId;
  if (wanted === undefined) await removeMember(tx, change, member.userId, { byProvider: true });
  else await setMemberRole(tx, change, { userId: member.userId, role: wanted.role, group: wanted.group });
  return member.userId;
}

/** The most privileged role of the groups in each partner. */
async function rolesOf(tx: Sql, groups: readonly string[]): Promise<Map<string, GroupRole>> {
  if (groups.length === 0) return new Map();
  const rows = await tx.query<{ partner_id: string; group_name: string; role: Role }>({
    name: "roles-of-groups",
    text: `select distinct on (partner_id) partner_id, group_name, role from group_roles
           where group_name = any($1::text[]) order by partner_id, role, group_name`,
    values: [groups],
  });
  return new Map(rows.map(({ partner_id, group_name: group, role }) => [partner_id, { group, role }]));
}

async function partnersFromGroups(tx: Sql, userId: string): Promise<string[]> {
  const rows = await tx.query<{ partner_id: string }>({
    name: "partners-from-groups",
    text: "select partner_id from memberships where user_id = $1 and from_group",
    values: [userId],
  });
  return rows.map(({ partner_id }) => partner_id);
}

async function findUser(tx: Sql, email: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>({
    name: "user-id-by-email",
    text: "select id from users where email = $1",
    values: [email],
  });
  return row?.id ?? null;
}
