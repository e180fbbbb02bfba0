import "server-only";
import type { Role } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** A person as a member of one partner. */
export interface Membership {
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** Whether the person belongs to another partner too. */
  isShared: boolean;
  /** Whether the person operates the instance. */
  isOperator: boolean;
  /** Whether the membership comes from a group of the identity provider. */
  fromGroup: boolean;
}

const LOCK_MEMBERS = statement(
  "lock-members",
  "select 1 from partners where id = :partnerId for no key update",
);

/**
 * Locks the people of a partner for the rest of the transaction. Changes to roles and memberships run one after the
 * other, so two admins cannot remove each other at the same time. Creating accounts does not wait for this lock.
 */
export async function lockMembers(tx: Sql, partnerId: string): Promise<void> {
  await tx.run(LOCK_MEMBERS, { partnerId });
}

const FIND_MEMBERSHIP = statement(
  "find-membership",
  `select u.email, u.name, u.is_operator, m.role, m.from_group, exists (
    select 1 from memberships other where other.user_id = u.id and other.partner_id <> :partnerId) as is_shared
  from memberships m join users u on u.id = m.user_id where m.partner_id = :partnerId and m.user_id = :userId`,
);

/** The membership of a user; null when the user does not belong to the partner. */
export async function findMembership(tx: Sql, partnerId: string, userId: string): Promise<Membership | null> {
  const [row] = await tx.run(FIND_MEMBERSHIP, { partnerId, userId });
  if (row === undefined) return null;
  const { email, name, role } = row;
  return {
    userId,
    email,
    name,
    role,
    isShared: row.is_shared,
    isOperator: row.is_operator,
    fromGroup: row.from_group,
  };
}

const IS_INVITED = statement(
  "is-invited",
  "select 1 from invitations where partner_id = :partnerId and id = :userId",
);

/** Like `findMembership`. Errors: name_unknown, state_conflict for a person who has not accepted the invitation. */
export async function getMembership(tx: Sql, partnerId: string, userId: string): Promise<Membership> {
  const found = await findMembership(tx, partnerId, userId);
  if (found !== null) return found;
  const invited = await tx.run(IS_INVITED, { partnerId, userId });
  if (invited.length > 0) {
    fail("state_conflict", "this person has not accepted the invitation yet: send it again or cancel it");
  }
  return fail("name_unknown", "this person is not a member of the partner");
}

/** Fails for a membership that comes from a group, which would return with the next check. Errors: state_conflict. */
export function failIfFromGroup({ fromGroup }: Membership): void {
  if (!fromGroup) return;
  fail(
    "state_conflict",
    "this person's access comes from a group: change the group at the identity provider",
  );
}

const ANOTHER_ADMIN = statement(
  "another-admin",
  "select 1 from memberships where partner_id = :partnerId and user_id <> :userId and role = 'admin' limit 1",
);

/** Fails if the user is the partner's last admin. Call it after `lockMembers`. Errors: state_conflict. */
export async function failIfLastAdmin(tx: Sql, partnerId: string, userId: string): Promise<void> {
  const others = await tx.run(ANOTHER_ADMIN, { partnerId, userId });
  if (others.length > 0) return;
  fail("state_conflict", "this is the last admin of the partner: make another person an admin first");
}
