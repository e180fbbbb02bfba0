import "server-only";
import { actorId } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";

const END_TEAM_NOTICE = statement(
  "end-team-notice",
  `update account_notices set dismissed_at = :now
  where account_id = :accountId and object_id = :objectId and team_id is not null and dismissed_at is null`,
);

/** Ends the notice that a chat waits for a team: someone looks after the chat, it is closed, or another team has it. */
export async function endTeamNotice(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  await tx.run(END_TEAM_NOTICE, { accountId: ctx.account.id, objectId: chatId, now: ctx.now });
}

/** The notice of one request, which may assign several chats to a team. */
export interface TeamNotice {
  id: string;
  /** How many chats it is about so far. */
  chats: number;
}

/** A notice about no chat yet, which is not stored. */
export function newTeamNotice(ctx: Context): TeamNotice {
  return { id: newId(ctx.now.getTime()), chats: 0 };
}

const STORE_TEAM_NOTICE = statement(
  "store-team-notice",
  `insert into account_notices (account_id, id, kind, severity, title, body, link, object_id, created_at, user_id, team_id)
  values (:accountId, :id, 'team_assigned', 'info', :title, :body, :link, :objectId, :now, :userId, :teamId)
  on conflict (account_id, id) do update set title = excluded.title, body = excluded.body, link = excluded.link,
    object_id = excluded.object_id, dismissed_at = null`,
);

/**
 * Notifies the members of a team, except the caller, of one more chat that waits for them: one row for all members and all
 * chats of the request. The notice of several chats ends with the next one of several chats of the team.
 */
export async function notifyTeam(
  tx: Sql,
  ctx: Context,
  chatId: string,
  team: { id: string; name: string },
  notice: TeamNotice,
): Promise<void> {
  const chats = notice.chats + 1;
  const author = ctx.actor.type === "user" ? ctx.actor.name : "Trunkline";
  // The first chat of the request has had the notice for itself until now.
  if (chats === 2) await endTeamNotice(tx, ctx, team.id);
  await tx.run(STORE_TEAM_NOTICE, {
    accountId: ctx.account.id,
    id: notice.id,
    title: `${author} assigned ${chats === 1 ? "a chat" : `${chats} chats`} to ${team.name}`,
    body:
      chats === 1
        ? "Open the chat to answer it, or assign it to yourself."
        : "Open the chats to answer them, or assign them to yourself.",
    link: chats === 1 ? `/chats/${chatId}` : "/chats?view=my_teams",
    objectId: chats === 1 ? chatId : team.id,
    now: ctx.now,
    userId: actorId(ctx.actor),
    teamId: team.id,
  });
}
