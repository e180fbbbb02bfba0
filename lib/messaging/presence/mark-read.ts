import "server-only";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findOpenChat } from "@/lib/messaging/chats/find-usable-chat";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { requireAnswerable } from "@/lib/messaging/chats/require-answerable";
import { canDo } from "@/lib/messaging/chats/require-group";
import { type Context, tokenIdOf } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { isReachable } from "@/lib/platform/text/phone-handle";

export const MarkRead = contract({
  summary: "Mark a chat as read",
  description:
    "Marks every message of a chat as read and sends a read receipt if the service supports read receipts.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: ["chat_not_found", "access_denied", "chat_unavailable", "phone_not_e164", "line_restricted"],
});

const MARK_CHAT_READ = statement(
  "mark-chat-read",
  `update chats set read_up_to = (
    select m.id from messages m where m.account_id = :accountId and m.chat_id = :chatId order by m.position desc limit 1),
    is_unread = false
  where account_id = :accountId and id = :chatId`,
);

/**
 * Marks the chat's inbound messages as read and sends read receipts where the service supports them. Errors: as
 * `MarkRead`.
 */
export async function markRead(
  ctx: Context,
  { params }: Pick<Input<typeof MarkRead>, "params">,
): Promise<undefined> {
  const chat = await findOpenChat(ctx, params.chatId);
  // People of the team see what they have read. A program asks for a read receipt, which a short code can't get.
  if (tokenIdOf(ctx.actor) !== null) requireAnswerable(chat.recipient_handle);

  await transaction(async (tx) => {
    // An update that waited for a message to be stored would clear its mark without seeing the message.
    await lockChat(tx, { accountId: ctx.account.id, chatId: chat.id });
    await tx.run(MARK_CHAT_READ, { accountId: ctx.account.id, chatId: chat.id });
    const isAnswerable = chat.recipient_handle === null || isReachable(chat.recipient_handle);
    if (isAnswerable && canDo(chat, "read"))
      await queueChatAction(tx, ctx, chat, { kind: "read", payload: {} });
  });
}
