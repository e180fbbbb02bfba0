import "server-only";
import { findParticipants } from "@/lib/messaging/chats/find-participants";
import {
  MESSAGE_COLUMNS,
  type Message,
  type SentMessage,
  toMessage,
  toSentMessage,
} from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { prisma, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** Finds a message of the account, with its sender. Errors: message_not_found (also when deleted), access_denied. */
export async function findMessage(ctx: Context, messageId: string): Promise<Message> {
  const { row, handles } = await load(ctx, messageId);
  return toMessage(row, handles);
}

/** As `findMessage`, in the format of a send's response, with its chat. */
export async function findSentMessage(
  ctx: Context,
  messageId: string,
): Promise<{ chatId: string; message: SentMessage }> {
  const { row, handles } = await load(ctx, messageId);
  return { chatId: row.chat_id, message: toSentMessage(row, handles) };
}

const FIND_MESSAGE = statement(
  "find-message",
  `select ${MESSAGE_COLUMNS} from messages m
  where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null`,
);

async function load(ctx: Context, messageId: string) {
  const [row] = await sql.run(FIND_MESSAGE, { accountId: ctx.account.id, messageId });
  if (row === undefined) return throwNotFoundOrDenied(ctx, messageId);
  return { row, handles: await findParticipants(ctx.account.id, row.chat_id) };
}

/** Throws access_denied when the message belongs to another account, else message_not_found. */
export async function throwNotFoundOrDenied(ctx: Context, messageId: string): Promise<never> {
  const foreign = await prisma().message.findFirst({
    where: { id: messageId, accountId: { not: ctx.account.id } },
    select: { id: true },
  });
  return fail(foreign === null ? "message_not_found" : "access_denied");
}
