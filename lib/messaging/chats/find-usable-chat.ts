import "server-only";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { requireAnswerable } from "@/lib/messaging/chats/require-answerable";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import type { HealthStatus, LineStatus, ServiceType } from "@/lib/platform/prisma/enums";

/** A chat that accepts changes and actions. */
export interface UsableChat {
  id: string;
  line_id: string;
  line_type: ServiceType;
  is_group: boolean;
  service: ServiceType | null;
  display_name: string | null;
  transport: string;
  /** The transport's id of a group; null until it has one. */
  transport_ref: string | null;
  recipient_handle: string | null;
  health_status: HealthStatus;
  last_activity_at: Date;
  phone_number: string;
}

/**
 * Finds a chat of the account for a change or an action. Errors: chat_not_found, access_denied, chat_unavailable (the
 * line has left it), line_restricted, phone_not_e164 (a short code or name, which can't be answered).
 */
export async function findUsableChat(ctx: Context, chatId: string): Promise<UsableChat> {
  const chat = await findOpenChat(ctx, chatId);
  requireAnswerable(chat.recipient_handle);
  return chat;
}

/** As `findUsableChat`, also with a sender that can't be answered. */
export async function findOpenChat(ctx: Context, chatId: string): Promise<UsableChat> {
  const [chat] = await sql.query<UsableChat & { left_at: Date | null; line_status: LineStatus }>({
    name: "find-usable-chat",
    text: `select c.id, c.line_id, c.line_type, c.is_group, c.service, c.display_name, c.transport_ref, l.transport,
             c.recipient_handle, c.health_status, c.last_activity_at, c.left_at, l.status as line_status, l.phone_number
           from chats c join lines l on l.account_id = c.account_id and l.id = c.line_id
           where c.account_id = $1 and c.id = $2`,
    values: [ctx.account.id, chatId],
  });
  if (chat === undefined) return throwNotFoundOrDenied(chatId);
  if (chat.left_at !== null) fail("chat_unavailable", "this line has left the chat: create another chat");
  if (chat.line_status === "FLAGGED") fail("line_restricted");
  return chat;
}
