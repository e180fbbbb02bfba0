import { notFound } from "next/navigation";
import { z } from "zod";
import { ChatView } from "@/components/chats/chat-view";
import { getChat } from "@/lib/chats/get-chat";
import { listChatNotes } from "@/lib/chats/list-chat-notes";
import { requireAccount } from "@/lib/dashboard/current-session";
import { listTimeline } from "@/lib/messages/list-timeline";
import { ApiError } from "@/lib/platform/errors";
import { roleHasRight } from "@/lib/users/role-rights";

type ChatPageProps = { params: Promise<{ chatId: string }> };

export default async function ChatPage({ params }: ChatPageProps) {
  const { chatId } = await params;
  const { account, ctx } = await requireAccount();
  if (!z.uuid().safeParse(chatId).success) notFound();

  const [chat, timeline, { notes }] = await Promise.all([
    getChat(ctx, { params: { chatId }, query: undefined, body: undefined }),
    listTimeline(ctx, { params: { chatId }, query: { limit: 50 } }),
    listChatNotes(ctx, { params: { chatId } }),
  ]).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
  return (
    <ChatView
      key={chatId}
      initialChat={chat}
      initialPage={timeline}
      initialNotes={notes}
      maySend={roleHasRight(account.role, "send_messages")}
    />
  );
}
