"use client";

import { MessagesSquare } from "lucide-react";
import dynamic from "next/dynamic";
import { useSelectedLayoutSegment } from "next/navigation";
import { type ReactNode, useState } from "react";
import { ChatFilters } from "@/components/chats/list/chat-filters";
import { ChatListItem } from "@/components/chats/list/chat-list-item";
import type { ChatRights } from "@/components/chats/list/no-chat-match";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import {
  type ConversationPage,
  isFiltering,
  NO_FILTER,
  useConversations,
} from "@/components/chats/list/use-conversations";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { StreamBadge } from "@/components/events/stream-badge";
import { ListTotal } from "@/components/list/list-total";
import { Skeleton } from "@/components/ui/skeleton";
import type { Line } from "@/lib/lines/lines/line";

// Loaded when a search finds nothing.
const NoChatMatch = dynamic(async () => (await import("@/components/chats/list/no-chat-match")).NoChatMatch, {
  loading: () => null,
});

const CHATS = { one: "chat", many: "chats" };

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
  const [clears, setClears] = useState(0);
  function clear(): void {
    setFilter(NO_FILTER);
    // Remounts the search field, which stores its own text.
    setClears(clears + 1);
  }
  const filtered = isFiltering(filter);
  const { query: list, stream, csv } = useConversations(filter, filtered ? undefined : initial);
  const chats = list.data?.flatMap((page) => page.conversations);

  return (
    <nav aria-label="Chats" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 px-4 pt-4">
        <Title className="font-semibold text-lg tracking-tight">Chats</Title>
        <StreamBadge status={stream} />
      </div>
      <ChatFilters
        key={clears}
        filter={filter}
        lines={lines}
        onChange={setFilter}
        onClear={filtered ? clear : undefined}
      />
      {chats !== undefined && chats.length > 0 && (
        <div className="flex items-center justify-between gap-2 border-b px-4 py-2">
          <ListTotal
            noun={CHATS}
            rows={chats.length}
            hasMore={list.hasNextPage}
            total={list.data?.[0]?.total}
          />
          <CsvLink href={csv} />
        </div>
      )}
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        {list.error && (
          <ErrorNote
            title="Chats could not be loaded"
            code={list.error.code}
            traceId={list.error.traceId}
            onRetry={() => void list.refetch()}
            className="m-3 w-auto"
          >
            {list.error.message}
          </ErrorNote>
        )}
        {list.isPending && !list.error && <LoadingChats />}
        {chats?.length === 0 &&
          (filtered ? (
            <NoChatMatch filter={filter} lines={lines} rights={rights} onClear={clear} />
          ) : (
            firstStep
          ))}
        <ul className="divide-y">
          {chats?.map(({ chat, last_message, unread, mark, assignee }) => (
            <li key={chat.id}>
              <ChatListItem
                chat={chat}
                href={`/chats/${chat.id}${address}`}
                active={chat.id === openChatId}
                lastMessage={last_message}
                unread={unread}
                mark={mark}
                assignee={assignee?.name}
              />
            </li>
          ))}
        </ul>
        <LoadMore
          hasMore={list.hasNextPage}
          isLoading={list.isFetchingNextPage}
          onLoadMore={() => void list.fetchNextPage()}
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
