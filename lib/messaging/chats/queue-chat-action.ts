import "server-only";
import type { ActionKindName } from "@/lib/messaging/actions/action-kinds";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import type { UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Queues an action in a chat that concerns no message (queue-action.ts). Errors: chat_unavailable (the line has left
 * the chat since it was found).
 */
export async function queueChatAction(
  tx: Sql,
  ctx: Context,
  chat: Pick<UsableChat, "id" | "line_id">,
  { kind, payload }: { kind: ActionKindName; payload: unknown },
): Promise<void> {
  // A leave has already locked the row and closed the chat.
  if (kind !== "leave") await requireNotLeft(tx, ctx, chat.id);
  await queueAction(tx, {
    accountId: ctx.account.id,
    lineId: chat.line_id,
    chatId: chat.id,
    messageId: null,
    kind,
    payload,
    traceId: ctx.traceId,
    at: ctx.now,
  });
}

const CHAT_NOT_LEFT = statement(
  "chat-not-left",
  "select left_at from chats where account_id = :accountId and id = :chatId for share",
);

// Waits for a leave that is being accepted, and blocks the next one until the caller's transaction ends.
async function requireNotLeft(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  const [chat] = await tx.run(CHAT_NOT_LEFT, { accountId: ctx.account.id, chatId });
  if (chat === undefined || chat.left_at !== null) {
    fail("chat_unavailable", "this line has left the chat: create another chat");
  }
}
