import "server-only";
import { actorId } from "@/lib/identity/audit/record-audit";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const END_TEAM_NOTICE = statement(
  "end-team-notice",
  `update account_notices set dismissed_at = :now
  where account_id = :accountId and object_id = :chatId and team_id is not null and dismissed_at is null`,
);

/** Ends the notice that a chat waits for a team: someone looks after the chat, or another team does. */
export async function endTeamNotice(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  await tx.run(END_TEAM_NOTICE, { accountId: ctx.account.id, chatId, now: ctx.now });
}

/** Tells the members of a team, except the caller, that a chat waits for them: one row, whatever their number. */
export async function notifyTeam(
  tx: Sql,
  ctx: Context,
  chatId: string,
  team: { id: string; name: string },
): Promise<void> {
  const author = ctx.actor.type === "user" ? ctx.actor.name : "Trunkline";
  await recordNotice(tx, {
    accountId: ctx.account.id,
    kind: "team_assigned",
    severity: "info",
    title: `${author} assigned a chat to ${team.name}`,
    body: "Open the chat to answer it, or assign it to yourself.",
    link: `/chats/${chatId}`,
    objectId: chatId,
    userId: actorId(ctx.actor),
    teamId: team.id,
    at: ctx.now,
  });
}
