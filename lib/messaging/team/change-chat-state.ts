import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import {
  ChatStateChange,
  lockChatState,
  readSnoozeEnd,
  requireSeen,
  setChatState,
} from "@/lib/messaging/team/chat-state";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import { endTeamNotice } from "@/lib/messaging/team/team-notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

export const ChangeChatState = contract({
  summary: "Close, snooze or reopen a chat",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  body: ChatStateChange,
  status: 204,
  errors: ["chat_not_found", "access_denied", "parameter_invalid", "state_conflict"],
});

const ENTRIES = { open: "reopened", closed: "closed", snoozed: "snoozed" } as const;

/**
 * Closes a chat, snoozes it until a time, or reopens it, for the whole team. An inbound message opens a closed or snoozed
 * chat again, and so does the end of a snooze. The partner API and its events do not show the state. The same state again
 * changes nothing. Errors: as `ChangeChatState`; state_conflict when the customer has written since the message that the
 * caller has seen.
 */
export async function changeChatState(
  ctx: Context,
  { params, body }: Pick<Input<typeof ChangeChatState>, "params" | "body">,
): Promise<undefined> {
  const until = body.state === "snoozed" ? readSnoozeEnd(ctx, body.until) : null;
  await transaction(async (tx) => {
    const chat = await lockChatState(tx, ctx, params.chatId);
    if (body.state !== "open") await requireSeen(tx, ctx, chat.id, body.last_message_id);
    if (chat.inbox_state === body.state && chat.snoozed_until?.getTime() === until?.getTime()) return;

    await setChatState(tx, ctx.account.id, chat.id, {
      state: body.state,
      snoozedUntil: until,
      // Kept for the undo of a close. Closed and snoozed chats are not in the view of chats that need a reply.
      needsReply: chat.needs_reply,
    });
    await addTeamEntry(tx, ctx, { chat, kind: ENTRIES[body.state] });
    if (body.state === "closed") await endTeamNotice(tx, ctx, chat.id);
    const detail = { from: chat.inbox_state, ...(until && { until: until.toISOString() }) };
    await recordAudit(tx, ctx, `chat.${ENTRIES[body.state]}`, "chat", chat.id, detail);
  });
}
