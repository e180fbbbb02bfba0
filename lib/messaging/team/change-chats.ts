import "server-only";
import { z } from "zod";
import { markRead } from "@/lib/messaging/presence/mark-read";
import { Assignment, assignWithNotice, lockTeam, requireAssignment } from "@/lib/messaging/team/assign-chat";
import { changeChatState } from "@/lib/messaging/team/change-chat-state";
import { readSnoozeEnd } from "@/lib/messaging/team/chat-state";
import { requireMembers } from "@/lib/messaging/team/team-member";
import { newTeamNotice, type TeamNotice } from "@/lib/messaging/team/team-notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";

const MAX_CHATS = 100;

/** A change of several chats. */
export const ChatsChange = z.discriminatedUnion("type", [
  Assignment.extend({ type: z.literal("assign") }),
  z.object({ type: z.literal("close") }),
  z.object({ type: z.literal("snooze"), until: z.iso.datetime() }),
  z.object({ type: z.literal("reopen") }),
  z.object({ type: z.literal("mark_read") }),
]);

export type ChatsChange = z.infer<typeof ChatsChange>;

const SelectedChat = z.object({
  id: z.uuid(),
  /** The newest message that the person has seen; null = none. */
  last_message_id: z.uuid().nullable(),
});

type SelectedChat = z.infer<typeof SelectedChat>;

const FailedChat = z.object({ id: z.uuid(), code: z.int(), message: z.string() });

export const ChangeChats = contract({
  summary: "Assign, close, snooze, reopen or mark several chats as read",
  tag: "Chats",
  right: "send_messages",
  body: z.object({ chats: z.array(SelectedChat).min(1).max(MAX_CHATS), change: ChatsChange }),
  returns: z.object({
    /** The chats that are now as the change says. */
    changed: z.array(z.uuid()),
    /** The chats that stayed as they were, and why. */
    failed: z.array(FailedChat),
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
});

/**
 * Changes up to 100 chats one after the other, each in a transaction of its own: a chat that can't be changed stays as it
 * is and does not stop the others. A team gets one notice of all its chats. An interrupted call can be repeated: the same change again changes nothing, but the
 * transport is notified once more that a chat was read. Errors: parameter_invalid for an unknown person or team, or a snooze
 * that ends in the past, before any chat is changed.
 */
export async function changeChats(ctx: Context, { body }: Pick<Input<typeof ChangeChats>, "body">) {
  const { change } = body;
  if (change.type === "snooze") readSnoozeEnd(ctx, change.until);
  if (change.type === "assign") {
    requireAssignment(change);
    if (change.user_id) await requireMembers(sql, ctx, [change.user_id]);
    if (change.team_id) await lockTeam(sql, ctx, change.team_id);
  }

  const changed: string[] = [];
  const failed: z.infer<typeof FailedChat>[] = [];
  const notice = newTeamNotice(ctx);
  const chats = new Map(body.chats.map((chat) => [chat.id, chat]));
  for (const chat of chats.values()) {
    try {
      await changeOne(ctx, chat, change, notice);
      changed.push(chat.id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failed.push({ id: chat.id, code: error.row.code, message: error.message });
    }
  }
  return { changed, failed };
}

function changeOne(
  ctx: Context,
  { id, last_message_id }: SelectedChat,
  change: ChatsChange,
  notice: TeamNotice,
): Promise<void> {
  const params = { chatId: id };
  switch (change.type) {
    case "assign":
      return assignWithNotice(ctx, { params, body: change }, notice);
    case "close":
      return changeChatState(ctx, { params, body: { state: "closed", last_message_id } });
    case "snooze":
      return changeChatState(ctx, {
        params,
        body: { state: "snoozed", until: change.until, last_message_id },
      });
    case "reopen":
      return changeChatState(ctx, { params, body: { state: "open" } });
    case "mark_read":
      return markRead(ctx, { params });
  }
}
