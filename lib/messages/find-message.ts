import "server-only";
import { toChatHandle } from "@/lib/chats/chat-handle";
import {
  type Message,
  messageSelect,
  type SentMessage,
  toMessage,
  toSentMessage,
} from "@/lib/messages/message";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/** A message of the account with who wrote it. Errors: message_not_found (deleted too), access_denied. */
export async function findMessage(ctx: Context, messageId: string): Promise<Message> {
  const { row, sender } = await load(ctx, messageId);
  return toMessage(row, sender);
}

/** As `findMessage`, in the shape a send answers, with its chat. */
export async function findSentMessage(
  ctx: Context,
  messageId: string,
): Promise<{ chatId: string; message: SentMessage }> {
  const { row, sender } = await load(ctx, messageId);
  return { chatId: row.chatId, message: toSentMessage(row, sender) };
}

async function load(ctx: Context, messageId: string) {
  const key = { accountId: ctx.account.id, id: messageId };
  const row = await prisma().message.findUnique({
    where: { accountId_id: key, deletedAt: null },
    select: { ...messageSelect, chat: { select: { lineType: true } } },
  });
  if (row === null) return failUnlessForeign(ctx, messageId);

  const sender = await prisma().participant.findUnique({
    where: { accountId_id: { accountId: ctx.account.id, id: row.senderId } },
  });
  return { row, sender: sender && toChatHandle(sender, row.chat.lineType) };
}

/** Why a message of this account was not found: another account's answers access_denied. */
export async function failUnlessForeign(ctx: Context, messageId: string): Promise<never> {
  const foreign = await prisma().message.findFirst({
    where: { id: messageId, accountId: { not: ctx.account.id } },
    select: { id: true },
  });
  return fail(foreign === null ? "message_not_found" : "access_denied");
}
