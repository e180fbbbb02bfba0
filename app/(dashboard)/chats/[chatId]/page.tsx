import { cache } from "react";
import { z } from "zod";
import { ChatScreen } from "@/components/chats/chat-screen";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { listTimeline } from "@/lib/messaging/messages/list-message-views";
import { findSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import { getChatTeam } from "@/lib/messaging/team/get-chat-team";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { groupedNumber } from "@/lib/platform/text/phone-formats";
import { listHandleNames } from "@/lib/recipients/handles/list-handle-names";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

const FoundMessage = z.uuid().optional().catch(undefined);

type ChatPageProps = {
  params: Promise<{ chatId: string }>;
  /** `message`: the message to open the chat at. */
  searchParams: Promise<{ message?: string | string[] }>;
};

const readChat = cache(async (chatId: string) => {
  const { ctx } = await requireAccount("view_chats");
  return findOrNotFound(chatId, () =>
    getChat(ctx, { params: { chatId }, query: undefined, body: undefined }),
  );
});

export async function generateMetadata({ params }: ChatPageProps) {
  const { ctx } = await requireAccount("view_chats");
  const chat = await readChat((await params).chatId);
  const others = chat.handles.filter(({ is_me }) => is_me !== true).map(({ handle }) => handle);
  const { names } = await listHandleNames(ctx, {
    query: { handles: chat.is_group ? [] : others.slice(0, 1) },
  });
  const people = others.map(groupedNumber).join(", ") || "Chat";
  const shown = chat.display_name === null ? people : groupedNumber(chat.display_name);
  return { title: names[0]?.name ?? shown };
}

export default async function ChatPage({ params, searchParams }: ChatPageProps) {
  const { chatId } = await params;
  const around = FoundMessage.parse((await searchParams).message);
  const { ctx, may } = await requireAccount("view_chats");

  const [chat, timeline, { notes }, { places }, team] = await findOrNotFound(chatId, () =>
    Promise.all([
      readChat(chatId),
      listTimeline(ctx, { params: { chatId }, query: { limit: 50, around } }),
      listChatNotes(ctx, { params: { chatId } }),
      findSendBlockers(ctx, { query: { chat_id: chatId } }),
      getChatTeam(ctx, { params: { chatId } }),
    ]),
  );
  const foundId = timeline.messages.find(({ id }) => id === around)?.id;
  return (
    <ChatScreen
      key={`${chatId} ${foundId}`}
      initialChat={chat}
      foundId={foundId}
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
