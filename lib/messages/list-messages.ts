import "server-only";
import { z } from "zod";
import { failUnlessForeign } from "@/lib/chats/find-chat";
import { findParticipants } from "@/lib/chats/find-participants";
import { Message, messageSelect, toMessage } from "@/lib/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";

export const ListMessages = contract({
  summary: "List the messages of a chat",
  tag: "Messages",
  params: z.object({ chatId: z.uuid() }),
  query: z.object({ cursor: z.string().max(500).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({ messages: z.array(Message), next_cursor: z.string().nullable() }),
  status: 200,
  errors: ["chat_not_found", "access_denied"],
});

const CursorKey = z.tuple([z.uuid()]);

/** A chat's messages, newest first. Errors: chat_not_found, access_denied. */
export async function listMessages(ctx: Context, { params, query }: Input<typeof ListMessages>) {
  const { chatId } = params;
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, CursorKey)[0];

  const [senders, rows] = await Promise.all([
    findParticipants(ctx.account.id, chatId),
    prisma().message.findMany({
      where: { accountId: ctx.account.id, chatId, deletedAt: null, ...(before && { id: { lt: before } }) },
      select: messageSelect,
      orderBy: { id: "desc" },
      take: query.limit + 1,
    }),
  ]);
  if (senders.size === 0) return failUnlessForeign(chatId);

  const page = toPage(rows, query.limit, (row) => [row.id]);
  return {
    messages: page.items.map((row) => toMessage(row, senders.get(row.senderId) ?? null)),
    next_cursor: page.nextCursor,
  };
}
