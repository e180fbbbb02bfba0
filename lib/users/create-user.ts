import "server-only";
import { findAccountIds } from "@/lib/accounts/find-account-ids";
import { emitAccountEvent, systemDeed } from "@/lib/events/emit-account-event";
import { now } from "@/lib/platform/clock";
import type { Role } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";
import { recordUserAudit } from "@/lib/users/record-user-audit";
import { createSignInLink, type NewSignInLink } from "@/lib/users/sign-in-link";
import { EmailAddress } from "@/lib/users/user";

export interface NewUser {
  partnerId: string;
  email: string;
  name: string;
  role: Role;
}

/** What account events call a role (contract.md 0, Events). */
const ROLES_ON_THE_WIRE = {
  admin: "admin",
  developer: "manager",
  support: "member",
  viewer: "member",
} as const satisfies Record<Role, string>;

/** `link` is null for a user who has a password already and only joined another partner. */
export interface CreatedUser {
  userId: string;
  link: NewSignInLink | null;
}

/**
 * Gives a person access to a partner: a user (an existing one of that e-mail joins) with a role, and the one-time link
 * that sets the first password. Throws a ZodError for what is no e-mail address.
 */
export function createUser(user: NewUser): Promise<CreatedUser> {
  const email = EmailAddress.parse(user.email);
  return transaction(async (tx) => {
    const { id, name, hasPassword } = await insertUser(tx, email, user.name);
    const joined = await insertMembership(tx, id, user);
    const deed = systemDeed(await findAccountIds(tx, user.partnerId), now());
    const { traceId } = deed;
    const detail = { email, role: user.role };
    await recordUserAudit(tx, id, "user.created", { actorType: "system", traceId, detail });
    if (joined) {
      const team_member = { id, name, role: ROLES_ON_THE_WIRE[user.role] };
      await emitAccountEvent(tx, deed, "team_member.added", { team_member });
    }
    return { userId: id, link: hasPassword ? null : await createSignInLink(tx, id) };
  });
}

async function insertUser(
  tx: Sql,
  email: string,
  name: string,
): Promise<{ id: string; name: string; hasPassword: boolean }> {
  const at = now();
  const [row] = await tx.query<{ id: string; name: string; has_password: boolean }>({
    text: `insert into users (id, email, name, created_at) values ($1, $2, $3, $4)
           on conflict (email) do update set email = excluded.email
           returning id, name, password_hash is not null as has_password`,
    values: [newId(at.getTime()), email, name, at],
  });
  if (row === undefined) throw new Error("the user was not stored");
  return { id: row.id, name: row.name, hasPassword: row.has_password };
}

/** Whether the user is new to the partner; one who was there already gets the role. */
async function insertMembership(tx: Sql, userId: string, { partnerId, role }: NewUser): Promise<boolean> {
  const [row] = await tx.query<{ joined: boolean }>({
    text: `insert into memberships (partner_id, user_id, role, created_at) values ($1, $2, $3, $4)
           on conflict (partner_id, user_id) do update set role = excluded.role
           returning xmax = 0 as joined`,
    values: [partnerId, userId, role, now()],
  });
  return row?.joined === true;
}
