import "server-only";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { requireAnswerable } from "@/lib/messaging/chats/require-answerable";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** A chat that accepts changes and actions. */
export type UsableChat = Omit<RowOf<"find-usable-chat">, "left_at" | "line_status">;

/**
 * Finds a chat of the account for a change or an action. Errors: chat_not_found, access_denied, chat_unavailable (the
 * line has left it), line_restricted, phone_not_e164 (a short code or name, which can't be answered).
 */
export async function findUsableChat(ctx: Context, chatId: string): Promise<UsableChat> {
  const chat = await findOpenChat(ctx, chatId);
  requireAnswerable(chat.recipient_handle);
  return chat;
}

const FIND_USABLE_CHAT = statement(
  "find-usable-chat",
  `select c.id, c.line_id, c.line_type, c.is_group, c.service, c.display_name, c.transport_ref, l.transport,
    c.recipient_handle, c.health_status, c.last_activity_at, c.left_at, l.status as line_status, l.phone_number
  from chats c join lines l on l.account_id = c.account_id and l.id = c.line_id
  where c.account_id = :accountId and c.id = :chatId`,
);

/** As `findUsableChat`, also with a sender that can't be answered. */
export async function findOpenChat(ctx: Context, chatId: string): Promise<UsableChat> {
  const [chat] = await sql.run(FIND_USABLE_CHAT, { accountId: ctx.account.id, chatId });
  if (chat === undefined) return throwNotFoundOrDenied(chatId);
  if (chat.left_at !== null) fail("chat_unavailable", "this line has left the chat: create another chat");
  if (chat.line_status === "FLAGGED") fail("line_restricted");
  return chat;
}
