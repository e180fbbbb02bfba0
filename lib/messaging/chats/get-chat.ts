import "server-only";
import { Chat, ChatParams, chatSelect, toChat } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";

export const GetChat = contract({
  summary: "Get a chat",
  description: "Returns a chat with its participants and its health.",
  tag: "Chats",
  right: "view_chats",
  params: ChatParams,
  returns: Chat,
  status: 200,
  errors: ["chat_not_found", "access_denied"],
});

/** One chat of the account. Errors: chat_not_found, access_denied. */
export async function getChat(ctx: Context, { params }: Input<typeof GetChat>): Promise<Chat> {
  const row = await prisma().chat.findUnique({
    where: { accountId_id: { accountId: ctx.account.id, id: params.chatId } },
    select: chatSelect,
  });
  return row === null ? throwNotFoundOrDenied(params.chatId) : toChat(row);
}
