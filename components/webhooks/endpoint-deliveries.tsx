"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { type DeliveryFilter, toDeliveryQuery } from "@/components/webhooks/delivery-filter";
import { DeliveryFilters } from "@/components/webhooks/delivery-filters";
import { DeliveryTable } from "@/components/webhooks/delivery-table";
import { deliveriesKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { EventGroupChoice } from "@/lib/events/event-groups";
import type { ListedDelivery } from "@/lib/webhooks/listed-delivery";

type DeliveryPage = { deliveries: ListedDelivery[]; next_cursor: string | null };

type EndpointDeliveriesProps = {
  id: string;
  /** The first page for this filter; undefined when it could not be read with the page. */
  initial: DeliveryPage | undefined;
  filter: DeliveryFilter;
  groups: EventGroupChoice[];
};

const LOOK_MS = 3000;

/** What an endpoint was owed and what became of it, newest first; the address keeps the filter. */
export function EndpointDeliveries({ id, initial, filter, groups }: EndpointDeliveriesProps) {
  const query = toDeliveryQuery(filter);
  const found = useInfiniteQuery<DeliveryPage, ApiFailure, DeliveryPage, string[], string | null>({
    queryKey: [...deliveriesKey(id), JSON.stringify(query)],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/webhooks/${id}/deliveries${queryString({ ...query, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    initialData: initial && { pages: [initial], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // A search that was refused is not asked again and again.
    refetchInterval: ({ state }) => (state.status === "error" ? false : LOOK_MS),
    retry: false,
    select: ({ pages }) => ({
      deliveries: pages.flatMap(({ deliveries }) => deliveries),
      next_cursor: pages.at(-1)?.next_cursor ?? null,
    }),
  });
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <section aria-label="Deliveries" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-medium text-sm">Deliveries</h2>
        <CsvLink href={`/api/webhooks/${id}/deliveries/csv${queryString(query)}`} />
      </div>
      <DeliveryFilters filter={filter} groups={groups} />
      {found.error && (
        <ErrorNote
          title="The deliveries could not be loaded"
          code={found.error.code}
          traceId={found.error.traceId}
          onRetry={() => void found.refetch()}
        >
          {found.error.message}
        </ErrorNote>
      )}
      {found.isPending && <Skeleton className="h-56 w-full rounded-xl" />}
      {found.data && (
        <DeliveryTable deliveries={found.data.deliveries} empty={<NoDelivery isFiltered={isFiltered} />} />
      )}
      <LoadMore
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onLoadMore={() => void found.fetchNextPage()}
        label="older deliveries"
      />
    </section>
  );
}

function NoDelivery({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={Inbox}
      title="No delivery"
      description={
        isFiltered
          ? "Nothing fits these filters. Clear them to see all."
          : "The next event this endpoint has subscribed to appears here at once."
      }
    />
  );
}
