import { ChatView } from "@/components/chats/chat-view";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { listTimeline } from "@/lib/messaging/messages/list-timeline";
import { findSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import { getChatTeam } from "@/lib/messaging/team/get-chat-team";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

type ChatPageProps = { params: Promise<{ chatId: string }> };

export default async function ChatPage({ params }: ChatPageProps) {
  const { chatId } = await params;
  const { ctx, may } = await requireAccount("view_chats");

  const [chat, timeline, { notes }, { places }, team] = await findOrNotFound(chatId, () =>
    Promise.all([
      getChat(ctx, { params: { chatId }, query: undefined, body: undefined }),
      listTimeline(ctx, { params: { chatId }, query: { limit: 50 } }),
      listChatNotes(ctx, { params: { chatId } }),
      findSendBlockers(ctx, { query: { chat_id: chatId } }),
      getChatTeam(ctx, { params: { chatId } }),
    ]),
  );
  return (
    <ChatView
      key={chatId}
      initialChat={chat}
      initialPage={timeline}
      initialNotes={notes}
      initialTeam={team}
      initialSendBlockers={places[0]?.sendBlockers ?? []}
      maySend={may("send_messages")}
      rights={{
        decideOptOuts: may("decide_opt_outs"),
        manageBlocks: may("manage_blocks"),
      }}
    />
  );
}
