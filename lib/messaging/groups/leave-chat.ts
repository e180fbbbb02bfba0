import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { AcceptedAction, toAcceptedAction } from "@/lib/messaging/chats/accepted-action";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { requireGroup } from "@/lib/messaging/chats/require-group";
import { lockMembers } from "@/lib/messaging/groups/lock-members";
import { findLeaveError } from "@/lib/messaging/groups/member-rules";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const LeaveChat = contract({
  summary: "Leave a group",
  description:
    "Removes your line from an iMessage group. At least three participants must remain. The chat is then unavailable: sends to it fail with 2013. A `participant.removed` event reports the outcome.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  returns: AcceptedAction,
  status: 202,
  errors: [
    "chat_not_found",
    "access_denied",
    "chat_being_created",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "group_required",
    "service_not_supported",
    "state_conflict",
  ],
});

/**
 * Makes the line leave a group in which three others remain. From the 202 on, writes to the chat fail with 2013 and the
 * chat is no longer found by its recipients; messages accepted before are still sent. participant.removed follows.
 * Errors: as `LeaveChat`.
 */
export async function leaveChat(ctx: Context, { params }: Pick<Input<typeof LeaveChat>, "params">) {
  const chat = await findUsableChat(ctx, params.chatId);
  await requireGroup(ctx, chat, "group_leave");

  await transaction(async (tx) => {
    const reason = findLeaveError(await lockMembers(tx, ctx, chat));
    if (reason !== null) fail("state_conflict", reason);

    await closeChat(tx, ctx, chat.id);
    await queueChatAction(tx, ctx, chat, { kind: "leave", payload: {} });
    await recordAudit(tx, ctx, "chat.left", "chat", chat.id);
  });
  return toAcceptedAction(ctx, "Leaving the chat was queued");
}

const CLOSE_CHAT = statement(
  "close-chat",
  `update chats set left_at = :now, participants_key = null, updated_at = greatest(updated_at, :now)
  where account_id = :accountId and id = :chatId`,
);

async function closeChat(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  await tx.run(CLOSE_CHAT, { accountId: ctx.account.id, chatId, now: ctx.now });
}
