import "server-only";
import { z } from "zod";
import { defineInternalEvent } from "@/lib/events/catalog/define-events";
import { actorId } from "@/lib/identity/audit/record-audit";
import { emitChatEvent } from "@/lib/messaging/chats/change-chat";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import type { ChatTeamEntryKind } from "@/lib/platform/prisma/enums";

/**
 * Notifies open dashboards that the team changed something about a chat: its holder, its assignee or its notes. Carries no
 * data, so that nothing of the team's can leave through events.
 */
const CHAT_TEAM_CHANGED = defineInternalEvent("chat.team_changed", z.object({}));

interface TeamChange {
  chat: { id: string; line_id: string };
  kind: ChatTeamEntryKind;
  /** The person whom the entry is about, if it is not its author. */
  aboutId?: string | null;
  /** The text of a note, or the name of a team. */
  body?: string | null;
}

const ADD_TEAM_ENTRY = statement(
  "add-team-entry",
  `insert into chat_team_entries (account_id, id, chat_id, kind, user_id, about_id, body, created_at)
  values (:accountId, :id, :chatId, :kind, :userId, :aboutId, :body, :now)`,
);

/** Adds an entry to the team's log of a chat, in the transaction of the change. Returns the entry's id. */
export async function addTeamEntry(
  tx: Sql,
  ctx: Context,
  { chat, kind, aboutId = null, body = null }: TeamChange,
): Promise<string> {
  const id = newId(ctx.now.getTime());
  const userId = ctx.actor.type === "user" ? actorId(ctx.actor) : null;
  await tx.run(ADD_TEAM_ENTRY, {
    accountId: ctx.account.id,
    id,
    chatId: chat.id,
    kind,
    userId,
    aboutId,
    body,
    now: ctx.now,
  });
  await emitTeamChange(tx, ctx, chat);
  return id;
}

/** Notifies open dashboards of a change of the team's that leaves no entry. */
export async function emitTeamChange(tx: Sql, ctx: Context, chat: TeamChange["chat"]): Promise<void> {
  const changed = {
    accountId: ctx.account.id,
    lineId: chat.line_id,
    chatId: chat.id,
    traceId: ctx.traceId,
    at: ctx.now,
  };
  await emitChatEvent(tx, changed, CHAT_TEAM_CHANGED, {});
}

const NEWEST_CHAT = statement(
  "newest-chat",
  `select id, line_id from chats where account_id = :accountId order by last_activity_at desc, id desc limit 1`,
);

/**
 * Notifies open dashboards that the account's teams are others: one event, of the newest chat, whatever the number of chats
 * of the team. Lists are read anew after any. An account without chats has no page that shows teams of chats.
 */
export async function emitTeamsChange(tx: Sql, ctx: Context): Promise<void> {
  const [newest] = await tx.run(NEWEST_CHAT, { accountId: ctx.account.id });
  if (newest !== undefined) await emitTeamChange(tx, ctx, newest);
}
