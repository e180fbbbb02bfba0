import "server-only";
import { z } from "zod";
import { Chat, chatSelect, toChat } from "@/lib/messaging/chats/chat";
import { chatKey, chatsAfter } from "@/lib/messaging/inbox/chat-cursor";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { cursorParameter, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";

export const ListChats = contract({
  summary: "List chats",
  description: "Returns the chats of the account, most recent activity first.",
  tag: "Chats",
  right: "view_chats",
  query: z.object({
    from: PhoneNumber.optional().describe("Only chats of this line."),
    to: Handle.optional().describe("Only chats with this recipient."),
    cursor: cursorParameter,
    limit: limitParameter(100, 20),
  }),
  returns: z.object({
    chats: z.array(Chat).describe("One page of chats."),
    next_cursor: nextCursor,
  }),
  status: 200,
  errors: ["phone_not_e164", "parameter_invalid"],
});

/**
 * Returns the account's chats, most recent activity first, optionally of one line (`from`) or with one participant
 * (`to`).
 */
export async function listChats(ctx: Context, { query }: Input<typeof ListChats>) {
  const rows = await prisma().chat.findMany({
    where: {
      accountId: ctx.account.id,
      ...(query.from && { line: { phoneNumber: query.from } }),
      ...(query.to && { participants: { some: { handle: query.to, isMe: false } } }),
      ...(query.cursor && chatsAfter(query.cursor)),
    },
    select: chatSelect,
    orderBy: [{ lastActivityAt: "desc" }, { id: "desc" }],
    take: query.limit + 1,
  });

  const page = toPage(rows, query.limit, chatKey);
  return { chats: page.items.map(toChat), next_cursor: page.nextCursor };
}
