"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { HeartPulse } from "lucide-react";
import type { z } from "zod";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { LoadMore } from "@/components/data/load-more";
import { PageHeader } from "@/components/data/page-header";
import { PageTabs } from "@/components/data/page-tabs";
import { statusLooks } from "@/components/data/status-badge";
import { type BoardFilter, toBoardQuery } from "@/components/health/board-filter";
import { BoardFilters } from "@/components/health/board-filters";
import { ChatHealthTable } from "@/components/health/chat-health-table";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { ListChatHealth } from "@/lib/messaging/health/list-chat-health";

type Board = z.infer<(typeof ListChatHealth)["returns"]>;

type HealthBoardProps = {
  /** The first page for this filter; undefined when it could not be read with the page. */
  initial: Board | undefined;
  filter: BoardFilter;
  lines: { id: string; phone_number: string }[];
};

const LOOK_MS = 10_000;
const COUNTED_MOST = 10_000;
const ORDER = ["CRITICAL", "AT_RISK", "OPTED_OUT", "HEALTHY"] as const;

/** The account's chats by health, the worst first; the address keeps the filter. */
export function HealthBoard({ initial, filter, lines }: HealthBoardProps) {
  const query = toBoardQuery(filter);
  const found = useInfiniteQuery<Board, ApiFailure, Board, string[], string | null>({
    queryKey: ["chat-health", JSON.stringify(query)],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/chat-health${queryString({ ...query, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    initialData: initial && { pages: [initial], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => (state.status === "error" ? false : LOOK_MS),
    retry: false,
    select: joinPages,
  });

  return (
    <PageBody>
      <PageHeader
        title="Chat health"
        description={
          <>
            A chat is at risk with 4 messages in 24 hours that nobody answered, and critical with 8; one
            answer makes it healthy again.{" "}
            <a className="underline underline-offset-4" href="/docs/guides/chats/chat-health">
              How it is judged
            </a>
          </>
        }
        actions={<CsvLink href={`/api/chat-health/csv${queryString(query)}`} />}
      />
      {found.data && (
        <PageTabs label="Health" current={found.data.status} tabs={tabsOf(found.data.counts, filter)} />
      )}
      <BoardFilters filter={filter} lines={lines} />
      <FailureNote
        title="The chats could not be loaded"
        failure={found.error}
        onRetry={() => void found.refetch()}
      />
      {found.isPending && <Skeleton className="h-56 w-full rounded-xl" />}
      {found.data && <ChatHealthTable chats={found.data.chats} empty={<NoChat filter={filter} />} />}
      <LoadMore
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onLoadMore={() => void found.fetchNextPage()}
        label="more chats"
      />
    </PageBody>
  );
}

function joinPages({ pages }: { pages: Board[] }): Board {
  const [first] = pages;
  if (first === undefined) throw new Error("a list without a page");
  const next_cursor = pages.at(-1)?.next_cursor ?? null;
  return { ...first, chats: pages.flatMap(({ chats }) => chats), next_cursor };
}

function tabsOf(counts: Board["counts"], filter: BoardFilter) {
  return ORDER.map((status) => ({
    id: status,
    label: `${statusLooks.health[status].label} (${countText(counts[status])})`,
    href: `/chat-health${queryString({ ...filter, status })}`,
  }));
}

function countText(count: number): string {
  return count > COUNTED_MOST ? `${COUNTED_MOST.toLocaleString("en")}+` : count.toLocaleString("en");
}

function NoChat({ filter }: { filter: BoardFilter }) {
  const isNarrowed = filter.line !== undefined || filter.q !== undefined;
  return (
    <EmptyState
      icon={HeartPulse}
      title="No chat of this health"
      description={
        isNarrowed
          ? "None of them fits these filters. Clear them to see all."
          : "Chats appear here as their health changes."
      }
    />
  );
}
