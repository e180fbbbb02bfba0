import "server-only";
import { z } from "zod";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { findParticipants } from "@/lib/messaging/chats/find-participants";
import { MESSAGE_COLUMNS, Message, type MessageRow, toMessage } from "@/lib/messaging/messages/message";
import { LAST_POSITION, Position } from "@/lib/messaging/messages/message-position";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { cursorParameter, decodeCursor, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";

export const ListMessages = contract({
  summary: "List the messages of a chat",
  description: "Returns the messages of a chat, newest first.",
  tag: "Messages",
  right: "view_chats",
  params: ChatParams,
  query: z.object({ cursor: cursorParameter, limit: limitParameter(100, 50) }),
  returns: z.object({
    messages: z.array(Message).describe("One page of messages, newest first."),
    next_cursor: nextCursor,
  }),
  status: 200,
  errors: ["chat_not_found", "access_denied"],
});

const CursorKey = z.tuple([Position]);

/** Returns a chat's messages in order of acceptance, newest first. Errors: chat_not_found, access_denied. */
export async function listMessages(ctx: Context, { params, query }: Input<typeof ListMessages>) {
  const { chatId } = params;
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, CursorKey)[0];

  const [handles, rows] = await Promise.all([
    findParticipants(ctx.account.id, chatId),
    sql.query<MessageRow>({
      name: "list-messages",
      text: `select ${MESSAGE_COLUMNS} from messages m
             where m.account_id = $1 and m.chat_id = $2 and m.deleted_at is null and m.position < $3
             order by m.position desc limit $4`,
      values: [ctx.account.id, chatId, before ?? LAST_POSITION, query.limit + 1],
    }),
  ]);
  if (handles.size === 0) return throwNotFoundOrDenied(chatId);

  const page = toPage(rows, query.limit, (row) => [row.position]);
  return {
    messages: page.items.map((row) => toMessage(row, handles)),
    next_cursor: page.nextCursor,
  };
}
