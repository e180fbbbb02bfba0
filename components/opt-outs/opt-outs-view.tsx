"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { SearchX, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { OptOutDetails } from "@/components/opt-outs/opt-out-details";
import type { OptOutFilter } from "@/components/opt-outs/opt-out-filter";
import { OptOutTable } from "@/components/opt-outs/opt-out-table";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";
import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

const REFRESH_MS = 2000;
const WRITTEN = ["message.received"];

type OptOutPage = { opt_outs: OptOut[]; next_cursor: string | null };

type OptOutsViewProps = { initial: OptOutPage; filter: OptOutFilter; mayDecide: boolean };

/** The account's opt-outs as filtered, as they are now. */
export function OptOutsView({ initial, filter, mayDecide }: OptOutsViewProps) {
  const { list, optOuts } = useOptOuts(initial, filter);
  const [handle, setHandle] = useState<string>();
  const selected = optOuts.find((optOut) => optOut.handle === handle);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex justify-end">
        <CsvLink href={`/api/opt-outs/csv${queryString({ ...filter })}`} />
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
      <OptOutTable
        optOuts={optOuts}
        selectedId={selected?.id}
        onSelect={(optOut) => setHandle(optOut.handle)}
        empty={<NoOptOuts filtered={Object.keys(filter).length > 0} />}
      />
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
        label="older opt-outs"
      />
      {handle !== undefined && (
        <OptOutDetails handle={handle} mayDecide={mayDecide} onClose={() => setHandle(undefined)} />
      )}
    </div>
  );
}

function useOptOuts(initial: OptOutPage, filter: OptOutFilter) {
  const queryClient = useQueryClient();
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: optOutsKey }, { cancelRefetch: false }),
    REFRESH_MS,
  );
  useEventStream({ types: WRITTEN, onEvent: refresh, onReady: refresh });
  const list = useInfiniteQuery<OptOutPage, ApiFailure, OptOut[], unknown[], string | null>({
    queryKey: [...optOutsKey, "list", filter.state, filter.handle],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/opt-outs${queryString({ ...filter, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    select: ({ pages }) => pages.flatMap((page) => page.opt_outs),
  });
  return { list, optOuts: list.data ?? [] };
}

function NoOptOuts({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No such opt-out"
        description="Give the whole number with its country code, or look also among those that have ended."
      />
    );
  }
  return (
    <EmptyState
      icon={ShieldCheck}
      title="Nobody has opted out"
      description="Whoever writes STOP appears here at once, and is not messaged again until they write."
    />
  );
}
