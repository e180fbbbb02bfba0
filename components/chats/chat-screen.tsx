"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ChatComposer } from "@/components/chats/chat-composer";
import { useChatEvents } from "@/components/chats/chat-events";
import { chatTitle, recipientOf } from "@/components/chats/list/chat-list-item";
import { messagingMark } from "@/components/chats/list/messaging-mark";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import type { SendBlockerRights } from "@/components/chats/send-blocker-banner";
import type { TimelinePage } from "@/components/chats/timeline/apply-message";
import { ThreadProvider } from "@/components/chats/timeline/thread";
import { Timeline } from "@/components/chats/timeline/timeline";
import { toThread } from "@/components/chats/timeline/to-thread";
import { useNotes } from "@/components/chats/timeline/use-notes";
import { useTimeline } from "@/components/chats/timeline/use-timeline";
import { useChatTeam } from "@/components/chats/use-chat-team";
import { useNearMiss } from "@/components/chats/use-near-miss";
import { useSendBlockers } from "@/components/chats/use-send-blockers";
import { useDraft } from "@/components/composer/use-draft";
import { HandleLink } from "@/components/customers/handle-link";
import { Grouped } from "@/components/data/grouped";
import { StatusBadge, type StatusOf } from "@/components/data/status-badge";
import { untilLoaded } from "@/components/data/until-loaded";
import { LineName } from "@/components/lines/line-name";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { useThrottled } from "@/lib/client/use-throttled";
import type { Chat } from "@/lib/messaging/chats/chat";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";
import type { ChatNote } from "@/lib/messaging/team/chat-note";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

// Copying is loaded after the chat, whose script is near its limit.
const CopyableId = dynamic(
  () => untilLoaded(async () => (await import("@/components/data/copy/copyable-id")).CopyableId),
  { loading: () => null },
);

// Loaded only in accounts in which people can take chats over.
const HoldBar = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/hold-bar")).HoldBar),
  {
    loading: () => null,
  },
);

// Loaded only for a chat that is on hold.
const LoopBar = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/loop-bar")).LoopBar),
  {
    loading: () => null,
  },
);

// Loaded after the timeline and the composer. Its height is reserved.
const TeamBar = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/team-bar")).TeamBar),
  {
    loading: () => (
      <div className="h-[2.6875rem] pointer-coarse:h-[3.3125rem] shrink-0 border-b short:hidden" />
    ),
  },
);

// Only the browser knows these, so they are not part of the first view.
const TypingDots = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/typing-dots")).TypingDots),
  { ssr: false, loading: () => null },
);
const ThreadEnd = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/thread-end")).ThreadEnd),
  { ssr: false, loading: () => null },
);

const REFRESH_MS = 1000;

type ChatScreenProps = {
  initialChat: Chat;
  initialPage: TimelinePage;
  /** The message that the page is around, if the chat is opened at one. */
  foundId?: string | undefined;
  initialNotes: ChatNote[];
  initialSendBlockers: SendBlocker[];
  initialTeam: ChatTeam;
  maySend: boolean;
  rights: SendBlockerRights;
};

/** An open chat: header, messages and composer. */
export function ChatScreen({
  initialChat,
  initialPage,
  initialNotes,
  foundId,
  maySend,
  ...more
}: ChatScreenProps) {
  const chat = useChat(initialChat);
  const sendBlockers = useSendBlockers(chat.id, more.initialSendBlockers);
  const team = useChatTeam(chat.id, more.initialTeam);
  const hint = useNearMiss(recipientOf(chat));
  const timeline = useTimeline(chat.id, initialPage, foundId);
  const notes = useNotes(chat.id, initialNotes);
  const newestId = timeline.messages[0]?.id ?? null;
  const writing = useDraft(chat.id);
  const [sentId, setSentId] = useState<string>();
  const us = chat.handles.find(({ is_me }) => is_me === true);
  const line = us?.handle ?? null;
  const router = useRouter();
  const { query } = useChatFilter();
  const thread = toThread({ sendBlockers, maySend, line, writing, refresh: timeline.refresh });

  async function onSent(messageId: string): Promise<void> {
    // The message is not in the part of the chat that is shown.
    if (timeline.hasPreviousPage) return router.push(`/chats/${chat.id}${query}`);
    setSentId(messageId);
    return timeline.refresh(messageId);
  }

  return (
    <ThreadProvider value={thread}>
      <ChatHead chat={chat} mark={messagingMark(sendBlockers, hint !== null)} />
      {team.loop_held_at !== null && (
        <LoopBar chatId={chat.id} heldAt={team.loop_held_at} maySend={maySend} />
      )}
      {team.take_over_minutes !== null && <HoldBar chatId={chat.id} team={team} maySend={maySend} />}
      <TeamBar
        chatId={chat.id}
        team={team}
        maySend={maySend}
        lastMessageId={timeline.hasPreviousPage ? null : newestId}
      />
      <Timeline
        timeline={timeline}
        notes={notes}
        isGroup={chat.is_group}
        sentId={sentId}
        foundId={foundId}
        chatId={chat.id}
        end={<ThreadEnd chatId={chat.id} onAccepted={onSent} writing={writing} maySend={maySend} />}
      />
      <TypingDots chatId={chat.id} />
      <ChatComposer
        chat={chat}
        sendBlockers={sendBlockers}
        rights={more.rights}
        maySend={maySend}
        writing={writing}
        lastMessageId={timeline.hasPreviousPage ? undefined : newestId}
        onSent={onSent}
        hint={hint}
      />
    </ThreadProvider>
  );
}

function useChat(initial: Chat): Chat {
  const queryClient = useQueryClient();
  const queryKey = ["chat", initial.id];
  const refresh = useThrottled(() => void queryClient.invalidateQueries({ queryKey }), REFRESH_MS);
  useChatEvents({
    onEvent: (event) => {
      if (event.chat_id === initial.id) refresh();
    },
    onReady: refresh,
  });
  const { data } = useQuery<Chat, ApiFailure>({
    queryKey,
    queryFn: ({ signal }) => apiFetch(`/api/chats/${initial.id}`, { signal }),
    initialData: initial,
  });
  return data;
}

function ChatHead({ chat, mark }: { chat: Chat; mark: StatusOf<"messaging"> | null }) {
  const { query } = useChatFilter();
  const line = chat.handles.find(({ is_me }) => is_me === true);
  const recipient = recipientOf(chat);
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1.5 border-b px-2 py-2.5 short:hidden sm:px-4">
      <Button asChild variant="ghost" size="icon" className="lg:hidden">
        <Link href={`/chats${query}`} aria-label="Back to chats">
          <ArrowLeft />
        </Link>
      </Button>
      <div className="min-w-0 flex-1 px-2">
        <h1 className="truncate font-semibold tabular-nums tracking-tight">
          {recipient === null ? <Grouped>{chatTitle(chat)}</Grouped> : <HandleLink handle={recipient} />}
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-xs">
          {line && (
            <span>
              on <LineName number={line.handle} />
            </span>
          )}
          <span className="inline-flex items-center gap-1 max-sm:hidden">
            Chat <CopyableId value={chat.id} label="chat ID" />
          </span>
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap justify-end gap-1.5 max-sm:w-full max-sm:justify-start max-sm:ps-13">
        {mark !== null && <StatusBadge kind="messaging" value={mark} />}
        {chat.service && <StatusBadge kind="service" value={chat.service} />}
        {!(mark === "opted_out" && chat.health_status.status === "OPTED_OUT") && (
          <StatusBadge kind="health" value={chat.health_status.status} />
        )}
      </div>
    </header>
  );
}
