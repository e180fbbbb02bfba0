import "server-only";
import { emitAccountEvent } from "@/lib/events/emit-account-event";
import { findMembership, lockMembers } from "@/lib/identity/users/membership";
import { eventChange, type PartnerChange, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import type { Role } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";

/** The names of roles in account events (contract.md 0, Events). */
const ROLES_ON_THE_WIRE = {
  admin: "admin",
  developer: "manager",
  support: "member",
  viewer: "member",
} as const satisfies Record<Role, string>;

interface NewMember {
  /** Normalized by `EmailAddress`. */
  email: string;
  name: string;
  role: Role;
  /** The group of the identity provider that the membership comes from. */
  group?: string;
}

interface AddedMember {
  userId: string;
  /** Whether the person is new to the partner. An existing member keeps the current role. */
  hasJoined: boolean;
  hasPassword: boolean;
  /** Whether the person belongs to another partner too. */
  isShared: boolean;
}

/**
 * Adds a person to a partner: creates a user, or adds the existing user with this email address. The partner's members
 * stay locked until the transaction ends.
 */
export async function addMember(tx: Sql, change: PartnerChange, member: NewMember): Promise<AddedMember> {
  const { partnerId, at } = change;
  const { email, role, group } = member;
  await lockMembers(tx, partnerId);
  const { id, name, hasPassword } = await upsertUser(tx, member, at);
  const joined = await tx.query({
    name: "insert-membership",
    text: `insert into memberships (partner_id, user_id, role, created_at, from_group) values ($1, $2, $3, $4, $5)
           on conflict (partner_id, user_id) do nothing returning 1`,
    values: [partnerId, id, role, at, group !== undefined],
  });
  const hasJoined = joined.length > 0;
  if (hasJoined) {
    await recordMemberAudit(tx, change, id, "user.invited", {
      email,
      role,
      ...(group !== undefined && { group }),
    });
    const team_member = { id, name, role: ROLES_ON_THE_WIRE[role] };
    await emitAccountEvent(tx, await eventChange(tx, change), TEAM_MEMBER_EVENTS["team_member.added"], {
      team_member,
    });
  }
  const isShared = (await findMembership(tx, partnerId, id))?.isShared ?? false;
  return { userId: id, hasJoined, hasPassword, isShared };
}

async function upsertUser(
  tx: Sql,
  { email, name }: NewMember,
  at: Date,
): Promise<{ id: string; name: string; hasPassword: boolean }> {
  const [row] = await tx.query<{ id: string; name: string; has_password: boolean }>({
    text: `insert into users (id, email, name, created_at) values ($1, $2, $3, $4)
           on conflict (email) do update set email = excluded.email
           returning id, name, password_hash is not null as has_password`,
    values: [newId(at.getTime()), email, name, at],
  });
  if (row === undefined) throw new Error("the user was not stored");
  return { id: row.id, name: row.name, hasPassword: row.has_password };
}
