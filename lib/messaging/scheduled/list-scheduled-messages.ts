import "server-only";
import { z } from "zod";
import { Position } from "@/lib/messaging/messages/message-position";
import {
  SCHEDULED_COLUMNS,
  ScheduledMessage,
  toScheduledMessage,
} from "@/lib/messaging/scheduled/scheduled-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { cursorParameter, decodeCursor, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";

export const ListScheduledMessages = contract({
  summary: "List scheduled messages",
  description:
    "Returns the messages that wait for their time, the next one first. Messages for the same second are in the order in which they were scheduled, which is the order in which they are sent. A Trunkline extension.",
  tag: "Messages",
  right: "view_chats",
  query: z.object({
    chat_id: z.uuid().optional().describe("Only messages to this chat."),
    cursor: cursorParameter,
    limit: limitParameter(100, 50),
  }),
  returns: z.object({
    scheduled_messages: z.array(ScheduledMessage).describe("One page of messages, the next one first."),
    next_cursor: nextCursor,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

const CursorKey = z.tuple([z.iso.datetime(), Position]);

const LIST_SCHEDULED_MESSAGES = plannedStatement(
  "list-scheduled-messages",
  `select ${SCHEDULED_COLUMNS} from scheduled_messages s
  where s.account_id = :accountId and (:chatId::uuid is null or s.chat_id = :chatId) and s.due_at is not null
    and (s.due_at, s.position) > (:afterTime::timestamptz, :afterPosition::bigint)
  order by s.due_at, s.position limit :limit`,
);

const FIRST = ["1970-01-01T00:00:00.000Z", "0"] as const;

/** Returns the account's messages that wait for their time, the next one first. Errors: parameter_invalid. */
export async function listScheduledMessages(ctx: Context, { query }: Input<typeof ListScheduledMessages>) {
  const [time, position] = query.cursor === undefined ? FIRST : decodeCursor(query.cursor, CursorKey);
  const rows = await sql.run(LIST_SCHEDULED_MESSAGES, {
    accountId: ctx.account.id,
    chatId: query.chat_id ?? null,
    afterTime: new Date(time),
    afterPosition: position,
    limit: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => [row.due_at.toISOString(), row.position]);
  return { scheduled_messages: page.items.map(toScheduledMessage), next_cursor: page.nextCursor };
}
