import "server-only";
import type { ActionKindName } from "@/lib/actions/action-kinds";
import { queueAction } from "@/lib/actions/queue-action";
import type { UsableChat } from "@/lib/chats/find-usable-chat";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/db";

/** Queues something to be done in a chat that is about no message (queue-action.ts). */
export async function queueChatAction(
  tx: Sql,
  ctx: Context,
  chat: Pick<UsableChat, "id" | "line_id">,
  { kind, payload }: { kind: ActionKindName; payload: unknown },
): Promise<void> {
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
