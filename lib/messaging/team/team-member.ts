import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const MAX_MEMBERS = 200;

/** A person of the account's partner, as colleagues see the person. */
export const TeamMember = z.object({ id: z.uuid(), name: z.string() });

export const ListTeamMembers = contract({
  summary: "List the people that a chat can be assigned to",
  tag: "Chats",
  right: "view_chats",
  returns: z.object({ members: z.array(TeamMember) }),
  status: 200,
  errors: [],
});

/** Returns the people of the account's partner by name, at most 200. */
export async function listTeamMembers(ctx: Context) {
  const members = await sql.query<z.infer<typeof TeamMember>>({
    name: "list-team-members",
    text: `select u.id, u.name from memberships m join users u on u.id = m.user_id
           where m.partner_id = $1 order by lower(u.name), u.id limit ${MAX_MEMBERS}`,
    values: [ctx.account.partnerId],
  });
  return { members };
}

/** Checks that people belong to the account's partner. Errors: parameter_invalid. */
export async function requireMembers(tx: Sql, ctx: Context, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const found = await tx.query<{ user_id: string }>({
    name: "require-members",
    text: "select user_id from memberships where partner_id = $1 and user_id = any($2::uuid[])",
    values: [ctx.account.partnerId, userIds],
  });
  if (found.length < new Set(userIds).size)
    fail("parameter_invalid", "a person is not a member of your team");
}
