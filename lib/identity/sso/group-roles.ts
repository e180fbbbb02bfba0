import "server-only";
import { z } from "zod";
import { requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import { lockMembers } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordPartnerAudit } from "@/lib/identity/users/partner-change";
import { RoleName } from "@/lib/identity/users/person";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_GROUPS = 100;

/** A group of the identity provider and the role of its members. */
export const GroupRole = z.object({
  group: z.string().trim().min(1, "enter the name of the group").check(maxUnits(255)),
  role: RoleName,
});

export type GroupRole = z.infer<typeof GroupRole>;

export const ListGroupRoles = contract({
  summary: "List the groups whose members have access",
  tag: "People",
  right: "manage_people",
  returns: z.object({ groups: z.array(GroupRole) }),
  status: 200,
  errors: ["access_denied"],
  extension: true,
});

/** The groups of the account's partner by name, at most 100. */
export async function listGroupRoles({
  account,
}: Pick<Context, "account">): Promise<{ groups: GroupRole[] }> {
  return { groups: await findGroups(sql, account.partnerId) };
}

const LIST_GROUP_ROLES = statement(
  "list-group-roles",
  `select group_name as "group", role from group_roles where partner_id = :partnerId
  order by group_name limit ${MAX_GROUPS}`,
);

function findGroups(on: Sql, partnerId: string): Promise<GroupRole[]> {
  return on.run(LIST_GROUP_ROLES, { partnerId });
}

export const SetGroupRole = contract({
  summary: "Give the members of a group a role",
  tag: "People",
  right: "manage_people",
  proof: true,
  body: GroupRole,
  status: 204,
  errors: ["access_denied", "proof_required", "parameter_invalid", "state_conflict"],
  extension: true,
});

const SET_GROUP_ROLE = statement(
  "set-group-role",
  `insert into group_roles (partner_id, group_name, role, created_at) values (:partnerId, :group, :role, :now)
  on conflict (partner_id, group_name) do update set role = excluded.role`,
);

/**
 * Gives the members of a group of the identity provider a role in the account's partner, or changes the role. Members
 * get it at their next sign-in, and people of the group who are signed in within five minutes. A group belongs to the
 * first partner that lists it: only an operator lists it for another partner too. Errors: proof_required, state_conflict
 * for a group of another partner, and for more than 100 groups.
 */
export async function setGroupRole(
  ctx: Context,
  { body }: Pick<Input<typeof SetGroupRole>, "body">,
): Promise<undefined> {
  requireFreshProof(ctx);
  await changeGroups(ctx, body.group, async (tx, from) => {
    if (from === null) {
      if ((await findGroups(tx, ctx.account.partnerId)).length >= MAX_GROUPS) {
        fail("state_conflict", `a partner can have ${MAX_GROUPS} groups: remove one first`);
      }
      if (!mayShare(ctx)) await failIfTaken(tx, body.group);
    }
    await tx.run(SET_GROUP_ROLE, {
      partnerId: ctx.account.partnerId,
      group: body.group,
      role: body.role,
      now: ctx.now,
    });
    return body.role;
  });
}

function mayShare({ actor }: Context): boolean {
  return actor.type === "user" && actor.isOperator === true;
}

const LOCK_GROUP = statement(
  "lock-group-role",
  "select pg_advisory_xact_lock(hashtextextended('group ' || :group, 0))",
);

const PARTNER_WITH_GROUP = statement(
  "partner-with-group",
  "select from group_roles where group_name = :group limit 1",
);

// The members of a group would appear among the people of every partner that lists it. Concurrent requests of two
// partners wait for each other.
async function failIfTaken(tx: Sql, group: string): Promise<void> {
  await tx.run(LOCK_GROUP, { group });
  const taken = await tx.run(PARTNER_WITH_GROUP, { group });
  if (taken.length > 0) {
    fail(
      "state_conflict",
      "another partner of this instance has the group: ask an operator to add it for you",
    );
  }
}

export const RemoveGroupRole = contract({
  summary: "Remove the access of a group",
  tag: "People",
  right: "manage_people",
  proof: true,
  body: GroupRole.pick({ group: true }),
  status: 204,
  errors: ["access_denied", "proof_required", "parameter_invalid", "name_unknown"],
  extension: true,
});

const REMOVE_GROUP_ROLE = statement(
  "remove-group-role",
  "delete from group_roles where partner_id = :partnerId and group_name = :group",
);

/**
 * Removes a group. Its members lose their access at their next sign-in, and those who are signed in within five
 * minutes, unless another group gives it. Errors: proof_required, name_unknown.
 */
export async function removeGroupRole(
  ctx: Context,
  { body }: Pick<Input<typeof RemoveGroupRole>, "body">,
): Promise<undefined> {
  requireFreshProof(ctx);
  await changeGroups(ctx, body.group, async (tx, from) => {
    if (from === null) fail("name_unknown", "this group has no role: reload the list");
    await tx.run(REMOVE_GROUP_ROLE, { partnerId: ctx.account.partnerId, group: body.group });
    return null;
  });
}

type Role = GroupRole["role"];

const ROLE_OF_GROUP = statement(
  "role-of-group",
  "select role from group_roles where partner_id = :partnerId and group_name = :group",
);

const CHECK_SSO_SESSIONS_NOW = statement(
  "check-sso-sessions-now",
  `update sso_sessions o set next_check_at = now() from sessions s, memberships m
  where s.id = o.session_id and m.user_id = s.user_id and m.partner_id = :partnerId and m.from_group
    and o.next_check_at > now()`,
);

// `change` gets the group's present role and returns the new one; null = none.
async function changeGroups(
  ctx: Context,
  group: string,
  change: (tx: Sql, from: Role | null) => Promise<Role | null>,
): Promise<void> {
  const { partnerId } = ctx.account;
  await transaction(async (tx) => {
    await lockMembers(tx, partnerId);
    const [row] = await tx.run(ROLE_OF_GROUP, { partnerId, group });
    const from = row?.role ?? null;
    const to = await change(tx, from);
    if (from === to) return;
    await recordPartnerAudit(tx, partnerChangeOf(ctx), "partner.group_role_changed", { group, from, to });
    // People whose groups were read before the change are asked for again at once.
    await tx.run(CHECK_SSO_SESSIONS_NOW, { partnerId });
  });
}
