"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { SearchX, ShieldCheck } from "lucide-react";
import { blocksKey } from "@/components/blocked-handles/blocks-key";
import { UnblockHandle } from "@/components/blocked-handles/unblock-handle";
import { CsvLink } from "@/components/data/csv-link";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { Timestamp } from "@/components/data/timestamp";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { Block } from "@/lib/recipients/blocks/list-blocks";

type BlockPage = { blocks: Block[]; next_cursor: string | null };

const LOOK_MS = 15_000;

type BlocksViewProps = { initial: BlockPage; search: string; mayManage: boolean };

const facts: DataColumn<Block>[] = [
  {
    key: "handle",
    header: "Handle",
    cell: ({ handle }) => <span className="wrap-anywhere font-medium tabular-nums">{handle}</span>,
  },
  {
    key: "reason",
    header: "Reason",
    className: "max-sm:text-right",
    cell: ({ reason }) =>
      reason === null ? (
        <span className="text-muted-foreground">None given</span>
      ) : (
        <span className="wrap-anywhere">{reason}</span>
      ),
  },
  { key: "by", header: "Blocked by", cell: ({ by }) => actorName(by) },
  { key: "since", header: "Since", cell: ({ blocked_at }) => <Timestamp value={blocked_at} /> },
];

const unblock: DataColumn<Block> = {
  key: "unblock",
  header: "Unblock",
  hideHeader: true,
  align: "number",
  cell: ({ handle }) => <UnblockHandle handle={handle} />,
};

/** The account's blocked handles as searched. */
export function BlocksView({ initial, search, mayManage }: BlocksViewProps) {
  const list = useInfiniteQuery<BlockPage, ApiFailure, Block[], unknown[], string | null>({
    queryKey: [...blocksKey, search],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/blocked-handles${queryString({ search, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    // No event tells of blocks.
    refetchInterval: LOOK_MS,
    select: ({ pages }) => pages.flatMap((page) => page.blocks),
  });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex justify-end">
        <CsvLink href={`/api/blocked-handles/csv${queryString({ search })}`} />
      </div>
      {list.error && (
        <ErrorNote
          title="The list may be out of date"
          code={list.error.code}
          traceId={list.error.traceId}
          onRetry={() => void list.refetch()}
        >
          {list.error.message}
        </ErrorNote>
      )}
      <DataTable
        label="Blocked handles"
        columns={mayManage ? [...facts, unblock] : facts}
        rows={list.data ?? []}
        rowKey={({ handle }) => handle}
        empty={<NoBlocks filtered={search !== ""} />}
      />
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
        label="older blocks"
      />
    </div>
  );
}

function NoBlocks({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No such block"
        description="Part of a number or an e-mail address is enough."
      />
    );
  }
  return (
    <EmptyState
      icon={ShieldCheck}
      title="Nobody is blocked"
      description="Block who abuses your lines: what they write is dropped, and nothing is sent to them."
    />
  );
}
