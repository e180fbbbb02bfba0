"use client";

import dynamic from "next/dynamic";
import { useSelectedLayoutSegment } from "next/navigation";
import { type MouseEvent, type ReactNode, useState } from "react";
import { ChatFilters } from "@/components/chats/list/chat-filters";
import { ChatListItem } from "@/components/chats/list/chat-list-item";
import type { ChatRights } from "@/components/chats/list/no-chat-match";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import { type ChatFilter, type ChatPage, NO_FILTER, useChats } from "@/components/chats/list/use-chats";
import { useInboxCounts } from "@/components/chats/list/use-inbox-counts";
import { extended } from "@/components/chats/state/chat-selection";
import { LazyErrorNote } from "@/components/data/lazy-error-note";
import { untilLoaded } from "@/components/data/until-loaded";
import { StreamBadge } from "@/components/events/stream-badge";
import { ListTotal } from "@/components/list/list-total";
import { Skeleton } from "@/components/ui/skeleton";
import type { Line } from "@/lib/lines/lines/line";
import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

// Loaded where there are more chats.
const LoadMore = dynamic(
  () => untilLoaded(async () => (await import("@/components/data/load-more")).LoadMore),
  { loading: () => null },
);

// Keys and the bar of the selection are not part of the first view.
const InboxActions = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/state/inbox-actions")).InboxActions),
  { ssr: false, loading: () => null },
);

// Loaded when a search finds nothing.
const NoChatMatch = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/list/no-chat-match")).NoChatMatch),
  {
    loading: () => null,
  },
);

// Loaded with the first search.
const MessageResults = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/search/message-results")).MessageResults),
  {
    loading: () => null,
  },
);

const CHATS = { one: "chat", many: "chats" };

type ChatListProps = {
  /** The first unfiltered page. */
  initial: ChatPage;
  counts: InboxCounts;
  lines: Line[];
  /** Empty state of an account without chats. */
  firstStep: ReactNode;
  rights: ChatRights;
  /** The id of the user. */
  me: string;
};

const NONE: ReadonlySet<string> = new Set();

/** The account's chats, most recently active first. */
export function ChatList({ initial, lines, firstStep, rights, ...more }: ChatListProps) {
  const openChatId = useSelectedLayoutSegment();
  const { filter, setFilter, query: address } = useChatFilter();
  // With a chat open, the chat's title is the page's h1.
  const Title = openChatId === null ? "h1" : "h2";
  const [clears, setClears] = useState(0);
  const [selected, setSelected] = useState(NONE);
  function change(next: Partial<ChatFilter>): void {
    setFilter(next);
    setSelected(NONE);
  }
  function clear(): void {
    change(NO_FILTER);
    // Remounts the search field, which stores its own text.
    setClears(clears + 1);
  }
  const filtered = address !== "";
  const { query: list, stream, csv } = useChats(filter, filtered ? undefined : initial);
  const counts = useInboxCounts(more.counts);
  const chats = list.data?.flatMap((page) => page.conversations);
  const rows = chats?.map(({ chat, last_message }) => ({
    id: chat.id,
    last_message_id: last_message?.id ?? null,
  }));
  // Shift and a click select all chats from the last selected one, or from the open one.
  function onRowClick(event: MouseEvent, id: string): void {
    if (!event.shiftKey || !rights.send) return;
    event.preventDefault();
    const from = [...selected].at(-1) ?? openChatId;
    setSelected(extended(selected, rows?.map((row) => row.id) ?? [], from, id));
  }

  return (
    <nav aria-label="Chats" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 px-4 pt-1.5 max-sm:sr-only">
        <Title className="font-semibold tracking-tight">Chats</Title>
        {chats !== undefined && chats.length > 0 && (
          <ListTotal
            noun={CHATS}
            rows={chats.length}
            hasMore={list.hasNextPage}
            total={list.data?.[0]?.total}
          />
        )}
        <span className="ml-auto">
          <StreamBadge status={stream} />
        </span>
      </div>
      <ChatFilters
        key={clears}
        filter={filter}
        lines={lines}
        counts={counts}
        csv={csv}
        onChange={change}
        onClear={filtered ? clear : undefined}
      />
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        {filter.search !== "" && (
          <MessageResults
            key={filter.search}
            q={filter.search}
            address={address}
            hasChats={chats !== undefined && chats.length > 0}
          />
        )}
        {list.error && (
          <LazyErrorNote
            title="Chats could not be loaded"
            code={list.error.code}
            traceId={list.error.traceId}
            onRetry={() => void list.refetch()}
            className="m-3 w-auto"
          >
            {list.error.message}
          </LazyErrorNote>
        )}
        {list.isPending && !list.error && <LoadingChats />}
        {chats?.length === 0 &&
          (filtered ? (
            <NoChatMatch filter={filter} lines={lines} rights={rights} onClear={clear} />
          ) : (
            firstStep
          ))}
        <ul className="divide-y" data-chat-list>
          {chats?.map(({ chat, last_message, unread, mark, assignee, team, inbox_state, line_id }) => (
            <li key={chat.id}>
              <ChatListItem
                chat={chat}
                href={`/chats/${chat.id}${address}`}
                active={chat.id === openChatId}
                lastMessage={last_message}
                unread={unread}
                mark={mark}
                assignee={assignee?.name}
                team={team?.name}
                state={inbox_state}
                selected={selected.has(chat.id)}
                onClick={(event) => onRowClick(event, chat.id)}
                ownLine={lines.length > 1 ? lines.find(({ id }) => id === line_id)?.phone_number : undefined}
              />
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <LoadMore
            hasMore
            isLoading={list.isFetchingNextPage}
            onLoadMore={() => void list.fetchNextPage()}
            label="more chats"
          />
        )}
      </div>
      <InboxActions
        chats={rows ?? []}
        openChatId={openChatId}
        address={address}
        me={more.me}
        maySend={rights.send}
        selected={selected}
        onSelect={setSelected}
      />
    </nav>
  );
}

/** Skeletons with the layout of real entries. */
function LoadingChats() {
  return (
    <div role="status" aria-label="Loading chats" className="divide-y">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="flex items-start gap-3 px-4 py-2">
          <Skeleton className="mt-0.5 size-8 rounded-full" />
          <div className="flex flex-1 flex-col gap-1 py-0.5">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-3.5 w-48" />
          </div>
        </div>
      ))}
    </div>
  );
}
