"use client";

import { MessagesSquare } from "lucide-react";
import { useSelectedLayoutSegment } from "next/navigation";
import type { ReactNode } from "react";
import { ChatFilters } from "@/components/chats/chat-filters";
import { ChatListItem } from "@/components/chats/chat-list-item";
import { type ChatRights, NoChatMatch } from "@/components/chats/no-chat-match";
import { useChatFilter } from "@/components/chats/use-chat-filter";
import { type ConversationPage, useConversations } from "@/components/chats/use-conversations";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { StreamBadge } from "@/components/events/stream-badge";
import { Skeleton } from "@/components/ui/skeleton";
import type { Line } from "@/lib/lines/lines/line";

type ChatListProps = {
  /** The first unfiltered page. */
  initial: ConversationPage;
  lines: Line[];
  /** Empty state of an account without chats. */
  firstStep: ReactNode;
  rights: ChatRights;
};

/** The account's chats, most recently active first. */
export function ChatList({ initial, lines, firstStep, rights }: ChatListProps) {
  const openChatId = useSelectedLayoutSegment();
  const { filter, setFilter, query: address } = useChatFilter();
  // With a chat open, the chat's title is the page's h1.
  const Title = openChatId === null ? "h1" : "h2";
  const filtered = filter.line !== null || filter.search !== "";
  const { query: chats, stream } = useConversations(filter, filtered ? undefined : initial);

  return (
    <nav aria-label="Chats" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 px-4 pt-4">
        <Title className="font-semibold text-lg tracking-tight">Chats</Title>
        <StreamBadge status={stream} />
      </div>
      <ChatFilters filter={filter} lines={lines} onChange={setFilter} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {chats.error && (
          <ErrorNote
            title="Chats could not be loaded"
            code={chats.error.code}
            traceId={chats.error.traceId}
            onRetry={() => void chats.refetch()}
            className="m-3 w-auto"
          >
            {chats.error.message}
          </ErrorNote>
        )}
        {chats.isPending && !chats.error && <LoadingChats />}
        {chats.data?.length === 0 &&
          (filtered ? (
            <NoChatMatch
              filter={filter}
              lines={lines}
              rights={rights}
              onClear={() => setFilter({ line: null, search: "" })}
            />
          ) : (
            firstStep
          ))}
        <ul className="divide-y">
          {chats.data?.map(({ chat, last_message, unread }) => (
            <li key={chat.id}>
              <ChatListItem
                chat={chat}
                href={`/chats/${chat.id}${address}`}
                active={chat.id === openChatId}
                lastMessage={last_message}
                unread={unread}
              />
            </li>
          ))}
        </ul>
        <LoadMore
          hasMore={chats.hasNextPage}
          isLoading={chats.isFetchingNextPage}
          onLoadMore={() => void chats.fetchNextPage()}
          label="more chats"
        />
      </div>
    </nav>
  );
}

/** Skeletons with the layout of real entries. */
function LoadingChats() {
  return (
    <div role="status" aria-label="Loading chats" className="divide-y">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="flex items-start gap-3 px-4 py-3">
          <Skeleton className="mt-0.5 size-8 rounded-full" />
          <div className="flex flex-1 flex-col gap-2 py-0.5">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-3.5 w-48" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Empty state of an account without chats. */
export function NoChatsYet({ action }: { action: ReactNode }) {
  return (
    <EmptyState
      icon={MessagesSquare}
      title="No chats yet"
      description="Chats appear here after you send a first message or someone writes to one of your lines."
      action={action}
    />
  );
}
