import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { Role } from "@/lib/platform/prisma/enums";
import { roleHasRight } from "@/lib/platform/rights/role-rights";

const MAX_MEMBERS = 200;

/** The roles of people who can answer chats. */
export const WORKING_ROLES = Object.values(Role).filter((role) => roleHasRight({ role }, "send_messages"));

/** A person of the account's partner, as colleagues see the person. */
export const TeamMember = z.object({ id: z.uuid(), name: z.string() });

export const ListTeamMembers = contract({
  summary: "List the people that a chat can be assigned to",
  tag: "Chats",
  right: "view_chats",
  returns: z.object({
    /** `can_answer`: whether the person can be in a team. */
    members: z.array(TeamMember.extend({ can_answer: z.boolean() })),
  }),
  status: 200,
  errors: [],
});

const LIST_TEAM_MEMBERS = statement(
  "list-team-members",
  `select u.id, u.name, m.role::text = any(:roles::text[]) as "can_answer!" from memberships m join users u on u.id = m.user_id
  where m.partner_id = :partnerId order by "can_answer!" desc, lower(u.name), u.id limit ${MAX_MEMBERS}`,
);

/** Returns the people of the account's partner, at most 200: those who can answer chats first, each by name. */
export async function listTeamMembers(ctx: Context) {
  const members = await sql.run(LIST_TEAM_MEMBERS, {
    partnerId: ctx.account.partnerId,
    roles: WORKING_ROLES,
  });
  return { members };
}

const REQUIRE_MEMBERS = statement(
  "require-members",
  "select user_id from memberships where partner_id = :partnerId and user_id = any(:userIds::uuid[]) for key share",
);

/** Checks that people belong to the account's partner, and in a transaction that they stay until its end. Errors: parameter_invalid. */
export async function requireMembers(tx: Sql, ctx: Context, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const found = await tx.run(REQUIRE_MEMBERS, { partnerId: ctx.account.partnerId, userIds });
  if (found.length < new Set(userIds).size)
    fail("parameter_invalid", "a person is not a member of your team");
}

const REQUIRE_WORKERS = statement(
  "require-workers",
  `select user_id from memberships where partner_id = :partnerId and user_id = any(:userIds::uuid[])
    and role::text = any(:roles::text[]) for share`,
);

/** As `requireMembers`, of people whose role lets them answer chats, which stays too. Errors: parameter_invalid. */
export async function requireWorkers(tx: Sql, ctx: Context, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { partnerId } = ctx.account;
  const found = await tx.run(REQUIRE_WORKERS, { partnerId, userIds, roles: WORKING_ROLES });
  if (found.length < new Set(userIds).size)
    fail("parameter_invalid", "a person is not a member of the partner, or can't answer chats");
}
