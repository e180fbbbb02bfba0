import "server-only";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const ACTIVE_MS = 5 * 60_000;

const Typing = {
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: [
    "chat_not_found",
    "access_denied",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "not_in_groups",
  ],
} as const;

export const StartTyping = contract({
  ...Typing,
  summary: "Start the typing indicator",
  description:
    "Shows the typing indicator to the recipient for about 85 seconds, or until a message is sent. Repeat the request every 60 seconds to keep the indicator visible. The indicator is best effort: 204 means only that the request was accepted. Direct chats only.",
});
export const StopTyping = contract({
  ...Typing,
  summary: "Stop the typing indicator",
  description: "Hides the typing indicator. Direct chats only.",
});

/**
 * Shows the recipient that the line is typing, best effort: an accepted request may not be shown. Nothing is shown in a
 * chat without activity in the last five minutes, nor over SMS (docs/contract.md, section 5.4). Errors: as
 * `StartTyping`.
 */
export async function startTyping(ctx: Context, { params }: Input<typeof StartTyping>): Promise<undefined> {
  await setTyping(ctx, params.chatId, true);
}

/** Stops the typing indicator. Errors: as `StopTyping`. */
export async function stopTyping(ctx: Context, { params }: Input<typeof StopTyping>): Promise<undefined> {
  await setTyping(ctx, params.chatId, false);
}

async function setTyping(ctx: Context, chatId: string, isOn: boolean): Promise<void> {
  const chat = await findUsableChat(ctx, chatId);
  if (chat.is_group) fail("not_in_groups", "typing indicators work only in direct chats");
  if (!isShown(ctx, chat)) return;

  await queueAction(sql, {
    accountId: ctx.account.id,
    lineId: chat.line_id,
    chatId,
    messageId: null,
    kind: "typing",
    payload: { is_on: isOn },
    traceId: ctx.traceId,
    at: ctx.now,
  });
}

function isShown(ctx: Context, chat: UsableChat): boolean {
  return chat.service !== "SMS" && ctx.now.getTime() - chat.last_activity_at.getTime() <= ACTIVE_MS;
}
