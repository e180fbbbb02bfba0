import "server-only";
import { z } from "zod";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { findParticipants } from "@/lib/messaging/chats/find-participants";
import { MESSAGE_COLUMNS, Message, toMessage } from "@/lib/messaging/messages/message";
import { LAST_POSITION, Position } from "@/lib/messaging/messages/message-position";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import {
  cursorParameter,
  decodeCursor,
  encodeCursor,
  limitParameter,
  nextCursor,
  toPage,
} from "@/lib/platform/lists/page";

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

const LIST_MESSAGES = statement(
  "list-messages",
  `select ${MESSAGE_COLUMNS} from messages m
  where m.account_id = :accountId and m.chat_id = :chatId and m.deleted_at is null and m.position < :before
  order by m.position desc limit :limit`,
);

/** Returns a chat's messages in order of acceptance, newest first. Errors: chat_not_found, access_denied. */
export async function listMessages(ctx: Context, { params, query }: Input<typeof ListMessages>) {
  const { chatId } = params;
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, CursorKey)[0];

  const [handles, rows] = await Promise.all([
    findParticipants(ctx.account.id, chatId),
    sql.run(LIST_MESSAGES, {
      accountId: ctx.account.id,
      chatId,
      before: before ?? LAST_POSITION,
      limit: query.limit + 1,
    }),
  ]);
  if (handles.size === 0) return throwNotFoundOrDenied(chatId);

  const page = toPage(rows, query.limit, (row) => [row.position]);
  return {
    messages: page.items.map((row) => toMessage(row, handles)),
    next_cursor: page.nextCursor,
  };
}

const LIST_NEWER_MESSAGES = statement(
  "list-newer-messages",
  `select ${MESSAGE_COLUMNS} from messages m
  where m.account_id = :accountId and m.chat_id = :chatId and m.deleted_at is null and m.position > :after
  order by m.position limit :limit`,
);

/**
 * Returns the messages of a chat after a cursor, newest first, the cursor of those that are newer still (null at the end)
 * and the cursor of those before. Errors: chat_not_found, access_denied, parameter_invalid.
 */
export async function listNewerMessages(
  ctx: Context,
  { chatId, after, limit }: { chatId: string; after: string; limit: number },
): Promise<{ messages: Message[]; newerCursor: string | null; olderCursor: string }> {
  const [position] = decodeCursor(after, CursorKey);
  const [handles, rows] = await Promise.all([
    findParticipants(ctx.account.id, chatId),
    sql.run(LIST_NEWER_MESSAGES, { accountId: ctx.account.id, chatId, after: position, limit: limit + 1 }),
  ]);
  if (handles.size === 0) return throwNotFoundOrDenied(chatId);

  const page = toPage(rows, limit, (row) => [row.position]);
  return {
    messages: page.items.map((row) => toMessage(row, handles)).toReversed(),
    newerCursor: page.nextCursor,
    olderCursor: cursorThrough(position),
  };
}

const FIND_POSITION = statement(
  "find-message-position",
  `select position from messages
  where account_id = :accountId and chat_id = :chatId and id = :messageId and deleted_at is null`,
);

/** The cursors of the messages before and after a message, which itself is among those before; null without it. */
export async function findCursorsAround(
  ctx: Context,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<{ older: string; newer: string } | null> {
  const [row] = await sql.run(FIND_POSITION, { accountId: ctx.account.id, chatId, messageId });
  if (row === undefined) return null;
  return { older: cursorThrough(row.position), newer: encodeCursor([row.position]) };
}

/** The cursor of the messages up to a position, itself included. */
function cursorThrough(position: string): string {
  return encodeCursor([String(BigInt(position) + 1n)]);
}
