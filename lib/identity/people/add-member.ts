import "server-only";
import { emitAccountEvent } from "@/lib/events/store/emit-account-event";
import type { UserAction } from "@/lib/identity/audit/audit-actions";
import { leaveTeams } from "@/lib/identity/people/leave-teams";
import { startFromNothing } from "@/lib/identity/people/start-from-nothing";
import { lockMembers } from "@/lib/identity/users/membership";
import { eventChange, type PartnerChange, recordMemberAudit } from "@/lib/identity/users/partner-change";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import type { Role } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";

/** The names of roles in account events (docs/contract.md, section 12.6). */
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
  /** The id of a person who is new to the instance; absent = a new one. */
  id?: string;
  /** Whether the person has just proved the email address, so that the credentials are the person's. */
  isProved?: boolean;
  /** Set for a person who joins by single sign-on: only that is kept of a person who starts from nothing. */
  bySso?: { sessionId: string | null };
  /** How the person joined, in the audit log. */
  action?: Extract<UserAction, "user.invited" | "user.invitation_accepted">;
}

interface AddedMember {
  userId: string;
  /** Whether the person is new to the partner. An existing member keeps the current role. */
  hasJoined: boolean;
  hasPassword: boolean;
}

const INSERT_MEMBERSHIP = statement(
  "insert-membership",
  `insert into memberships (partner_id, user_id, role, created_at, from_group) values (:partnerId, :id, :role, :createdAt, :fromGroup)
  on conflict (partner_id, user_id) do nothing returning 1`,
);

/**
 * Adds a person to a partner: creates a user, or adds the existing user with this email address. A person who belonged to
 * no partner starts from nothing (`startFromNothing`), except for a first password that the caller sets, and so does a
 * member of another partner whose admin may have set the password. An invitation of the person ends, and so do links that
 * an admin was shown. The partner's members stay locked until the transaction ends.
 */
export async function addMember(tx: Sql, change: PartnerChange, member: NewMember): Promise<AddedMember> {
  const { partnerId, at } = change;
  const { email, role, group, action = "user.invited" } = member;
  await lockMembers(tx, partnerId);
  const { id, name, hasPassword } = await upsertUser(tx, member, change);
  const joined = await tx.run(INSERT_MEMBERSHIP, {
    partnerId,
    id,
    role,
    createdAt: at,
    fromGroup: group !== undefined,
  });
  const hasJoined = joined.length > 0;
  await endOffers(tx, partnerId, { id, email });
  if (hasJoined) {
    // A process of the previous release keeps the teams of those whom it removes.
    await leaveTeams(tx, partnerId, id);
    await recordMemberAudit(tx, change, id, action, {
      email,
      role,
      ...(group !== undefined && { group }),
    });
    const team_member = { id, name, role: ROLES_ON_THE_WIRE[role] };
    await emitAccountEvent(tx, await eventChange(tx, change), TEAM_MEMBER_EVENTS["team_member.added"], {
      team_member,
    });
  }
  return { userId: id, hasJoined, hasPassword };
}

const UPSERT_USER = plannedStatement(
  "upsert-user",
  `insert into users (id, email, name, created_at) values (:newUserId, :email, :name, :createdAt)
  on conflict (email) do update set email = excluded.email
  returning id, name, password_hash is not null as has_password, is_operator,
    address_proved_at is not null as is_proved`,
);

// The row stays locked, so that two partners add a person one after the other.
async function upsertUser(
  tx: Sql,
  { id: newUserId, email, name, isProved = false, bySso }: NewMember,
  { partnerId, at }: PartnerChange,
): Promise<{ id: string; name: string; hasPassword: boolean }> {
  const [row] = await tx.run(UPSERT_USER, {
    newUserId: newUserId ?? newId(at.getTime()),
    email,
    name,
    createdAt: at,
  });
  if (row === undefined) throw new Error("the user was not stored");
  const partners = await partnersOf(tx, row.id);
  const isMember = row.is_operator || partners.length > 0;
  if (bySso !== undefined && !row.is_operator && !(isMember && row.is_proved)) {
    await startFromNothing(tx, row.id, null, bySso);
    return { id: row.id, name: row.name, hasPassword: false };
  }
  const keeps = row.is_operator || partners.includes(partnerId) || (isMember && row.is_proved);
  if (isProved || keeps) return { id: row.id, name: row.name, hasPassword: row.has_password };
  await startFromNothing(tx, row.id, isMember ? null : name);
  return { id: row.id, name: isMember ? row.name : name, hasPassword: false };
}

const PARTNERS_OF_PERSON = statement(
  "partners-of-person",
  "select partner_id from memberships where user_id = :userId",
);

/** The partners that a person belongs to. */
async function partnersOf(tx: Sql, userId: string): Promise<string[]> {
  const rows = await tx.run(PARTNERS_OF_PERSON, { userId });
  return rows.map(({ partner_id }) => partner_id);
}

const END_SHOWN_LINKS = statement(
  "end-shown-links",
  "delete from sign_in_links where user_id = :id and not is_proof and used_at is null",
);

const END_INVITATION = statement(
  "end-invitation",
  "delete from invitations where partner_id = :partnerId and email = :email",
);

// An admin of the person's other partner must not set a password that opens this partner too.
async function endOffers(
  tx: Sql,
  partnerId: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await tx.run(END_SHOWN_LINKS, { id });
  await tx.run(END_INVITATION, { partnerId, email });
}
