"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { LoadMore } from "@/components/data/load-more";
import { Timestamp } from "@/components/data/timestamp";
import { describeChange } from "@/components/settings/describe-change";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { AccountChange } from "@/lib/identity/audit/list-account-changes";

type ChangePage = { changes: AccountChange[]; next_cursor: string | null };

const columns: DataColumn<AccountChange>[] = [
  { key: "what", header: "Change", cell: (change) => describeChange(change).what },
  {
    key: "detail",
    header: "Detail",
    className: "sm:max-w-md",
    cell: (change) => (
      <span className="wrap-anywhere font-mono text-muted-foreground text-xs">
        {describeChange(change).detail}
      </span>
    ),
  },
  { key: "by", header: "By", cell: ({ by }) => by.name ?? (by.type === "system" ? "The service" : by.type) },
  { key: "when", header: "When", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

/** Who changed the account's options, app clips, lines and cards, newest first. */
export function ChangeHistory({ initial }: { initial: ChangePage }) {
  const found = useInfiniteQuery<ChangePage, ApiFailure, AccountChange[], string[], string | null>({
    queryKey: ["account-changes"],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/account/changes${queryString({ cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    initialData: { pages: [initial], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ changes }) => changes),
  });
  return (
    <>
      <FailureNote
        title="The history could not be loaded"
        failure={found.error}
        onRetry={() => void found.refetch()}
      />
      <DataTable
        label="Changes"
        columns={columns}
        rows={found.data ?? []}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={History}
            title="Nothing was changed yet"
            description="Changes of options, app clips, lines and contact cards are kept here, with who made them."
          />
        }
      />
      <LoadMore
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onLoadMore={() => void found.fetchNextPage()}
        label="older changes"
      />
    </>
  );
}
