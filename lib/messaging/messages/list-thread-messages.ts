import "server-only";
import { z } from "zod";
import { findParticipantsOfMessage } from "@/lib/messaging/chats/find-participants";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import { MESSAGE_COLUMNS, Message, MessageParams, toMessage } from "@/lib/messaging/messages/message";
import { FIRST_POSITION, LAST_POSITION, Position } from "@/lib/messaging/messages/message-position";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { cursorParameter, decodeCursor, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";

export const ListThreadMessages = contract({
  summary: "List the messages of a thread",
  description:
    "Returns the messages of the thread that a message belongs to. For a message without replies, the list contains only that message.",
  tag: "Messages",
  right: "view_chats",
  params: MessageParams,
  query: z.object({
    cursor: cursorParameter,
    limit: limitParameter(100, 50),
    order: z
      .enum(["asc", "desc"])
      .default("asc")
      .describe("Sort order by time: `asc` for oldest first, `desc` for newest first. Defaults to `asc`."),
  }),
  returns: z.object({
    messages: z.array(Message).describe("One page of messages."),
    next_cursor: nextCursor,
  }),
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

const CursorKey = z.tuple([Position]);

// The first message and its replies are each found by an index.
function pageSql(order: "asc" | "desc"): string {
  const isBehind = order === "asc" ? "m.position > :after" : "m.position < :after";
  return `with thread as materialized (
      select coalesce(thread_id, id) as id from messages
      where account_id = :accountId and id = :messageId and deleted_at is null
    )
    select * from (
      select ${MESSAGE_COLUMNS} from messages m
      where m.account_id = :accountId and m.id = (select id from thread) and m.deleted_at is null and ${isBehind}
      union all
      (select ${MESSAGE_COLUMNS} from messages m
      where m.account_id = :accountId and m.thread_id = (select id from thread) and m.deleted_at is null and ${isBehind}
      order by m.position ${order} limit :limit)
    ) m order by m.position ${order} limit :limit`;
}

const PAGES = {
  asc: { read: statement("list-thread-asc", pageSql("asc")), start: FIRST_POSITION },
  desc: { read: statement("list-thread-desc", pageSql("desc")), start: LAST_POSITION },
};

/**
 * Returns the thread of a message: its first message and every reply, oldest first unless `order` says otherwise. A
 * message without replies is its own thread (docs/contract.md, section 7.7). Errors: message_not_found, access_denied.
 */
export async function listThreadMessages(ctx: Context, { params, query }: Input<typeof ListThreadMessages>) {
  const accountId = ctx.account.id;
  const { messageId } = params;
  const { read, start } = PAGES[query.order];
  const after = query.cursor === undefined ? start : decodeCursor(query.cursor, CursorKey)[0];

  const [handles, rows] = await Promise.all([
    findParticipantsOfMessage(accountId, messageId),
    sql.run(read, { accountId, messageId, after, limit: query.limit + 1 }),
  ]);
  if (handles.size === 0) return throwNotFoundOrDenied(ctx, messageId);

  const page = toPage(rows, query.limit, (row) => [row.position]);
  return { messages: page.items.map((row) => toMessage(row, handles)), next_cursor: page.nextCursor };
}
