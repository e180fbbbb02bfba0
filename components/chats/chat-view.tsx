"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { ChatComposer } from "@/components/chats/chat-composer";
import { useChatEvents } from "@/components/chats/chat-events";
import { chatTitle, recipientOf } from "@/components/chats/list/chat-list-item";
import { messagingMark } from "@/components/chats/list/messaging-mark";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import type { SendBlockerRights } from "@/components/chats/send-blocker-banner";
import { TeamBar } from "@/components/chats/team-bar";
import type { TimelinePage } from "@/components/chats/timeline/apply-message";
import { ThreadProvider } from "@/components/chats/timeline/thread";
import { Timeline } from "@/components/chats/timeline/timeline";
import { toThread } from "@/components/chats/timeline/to-thread";
import { TypingDots } from "@/components/chats/timeline/typing-dots";
import { useNotes } from "@/components/chats/timeline/use-notes";
import { useTimeline } from "@/components/chats/timeline/use-timeline";
import { useChatTeam } from "@/components/chats/use-chat-team";
import { useNearMiss } from "@/components/chats/use-near-miss";
import { useSendBlockers } from "@/components/chats/use-send-blockers";
import { useDraft } from "@/components/composer/use-draft";
import { HandleLink } from "@/components/customers/handle-link";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { StatusBadge, type StatusOf } from "@/components/data/status-badge";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { useThrottled } from "@/lib/client/use-throttled";
import type { Chat } from "@/lib/messaging/chats/chat";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";
import type { ChatNote } from "@/lib/messaging/team/chat-note";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

// Loaded only in accounts in which people can take chats over.
const HoldBar = dynamic(async () => (await import("@/components/chats/hold-bar")).HoldBar, {
  loading: () => null,
});

const REFRESH_MS = 1000;

type ChatViewProps = {
  initialChat: Chat;
  initialPage: TimelinePage;
  initialNotes: ChatNote[];
  initialSendBlockers: SendBlocker[];
  initialTeam: ChatTeam;
  maySend: boolean;
  rights: SendBlockerRights;
};

/** An open chat: header, messages and composer. */
export function ChatView({ initialChat, initialPage, initialNotes, maySend, ...more }: ChatViewProps) {
  const chat = useChat(initialChat);
  const sendBlockers = useSendBlockers(chat.id, more.initialSendBlockers);
  const team = useChatTeam(chat.id, more.initialTeam);
  const hint = useNearMiss(recipientOf(chat));
  const timeline = useTimeline(chat.id, initialPage);
  const notes = useNotes(chat.id, initialNotes);
  const writing = useDraft(chat.id);
  const [sentId, setSentId] = useState<string>();
  const us = chat.handles.find(({ is_me }) => is_me === true);
  const line = us?.handle ?? null;
  const thread = toThread({ sendBlockers, maySend, line, writing, refresh: timeline.refresh });

  function onSent(messageId: string): void {
    setSentId(messageId);
    void timeline.refresh(messageId);
  }

  return (
    <ThreadProvider value={thread}>
      <ChatHead chat={chat} mark={messagingMark(sendBlockers, hint !== null)} />
      {team.take_over_minutes !== null && <HoldBar chatId={chat.id} team={team} maySend={maySend} />}
      <TeamBar chatId={chat.id} team={team} maySend={maySend} />
      <Timeline timeline={timeline} notes={notes} isGroup={chat.is_group} sentId={sentId} />
      <TypingDots chatId={chat.id} />
      <ChatComposer
        chat={chat}
        sendBlockers={sendBlockers}
        rights={more.rights}
        maySend={maySend}
        writing={writing}
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
    <header className="flex items-center gap-2 border-b px-2 py-2.5 short:hidden sm:px-4">
      <Button asChild variant="ghost" size="icon" className="lg:hidden">
        <Link href={`/chats${query}`} aria-label="Back to chats">
          <ArrowLeft />
        </Link>
      </Button>
      <div className="min-w-0 flex-1 px-2">
        <h1 className="truncate font-semibold tabular-nums tracking-tight">
          {recipient === null ? chatTitle(chat) : <HandleLink handle={recipient} />}
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-xs">
          {line && <span className="tabular-nums">on {line.handle}</span>}
          <span className="inline-flex items-center gap-1 max-sm:hidden">
            Chat <CopyableId value={chat.id} label="chat ID" />
          </span>
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap justify-end gap-1.5">
        {mark !== null && <StatusBadge kind="messaging" value={mark} />}
        {chat.service && <StatusBadge kind="service" value={chat.service} />}
        {!(mark === "opted_out" && chat.health_status.status === "OPTED_OUT") && (
          <StatusBadge kind="health" value={chat.health_status.status} />
        )}
      </div>
    </header>
  );
}
