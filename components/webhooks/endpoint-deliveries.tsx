"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { FilterSelect } from "@/components/requests/filter-select";
import { Skeleton } from "@/components/ui/skeleton";

import { DeliveryTable } from "@/components/webhooks/delivery-table";
import { deliveriesKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { ListedDelivery } from "@/lib/webhooks/listed-delivery";

export type DeliveryFilter = { status?: string | undefined; type?: string | undefined };

type DeliveryPage = { deliveries: ListedDelivery[]; next_cursor: string | null };

type EndpointDeliveriesProps = { id: string; filter: DeliveryFilter; types: string[] };

const LOOK_MS = 3000;
const STATUSES = [
  { value: "waiting", label: "Waiting" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "skipped", label: "Skipped" },
];

/** What an endpoint was owed and what became of it, newest first; the address keeps the filter. */
export function EndpointDeliveries({ id, filter, types }: EndpointDeliveriesProps) {
  const router = useRouter();
  const pathname = usePathname();
  const { status, type } = filter;
  const found = useInfiniteQuery<DeliveryPage, ApiFailure, DeliveryPage, string[], string | null>({
    queryKey: [...deliveriesKey(id), status ?? "", type ?? ""],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/webhooks/${id}/deliveries${queryString({ status, types: type, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: LOOK_MS,
    select: ({ pages }) => ({
      deliveries: pages.flatMap(({ deliveries }) => deliveries),
      next_cursor: pages.at(-1)?.next_cursor ?? null,
    }),
  });

  function change(part: DeliveryFilter): void {
    router.replace(`${pathname}${queryString({ ...filter, ...part })}`, { scroll: false });
  }

  return (
    <section aria-label="Deliveries" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-2 font-medium text-sm">Deliveries</h2>
        <FilterSelect
          name="Status"
          all="All statuses"
          value={status}
          options={STATUSES}
          onChange={(chosen) => change({ status: chosen })}
        />
        <FilterSelect
          name="Event type"
          all="All types"
          value={type}
          options={types.map((value) => ({ value, label: value }))}
          onChange={(chosen) => change({ type: chosen })}
        />
      </div>
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
        <DeliveryTable
          deliveries={found.data.deliveries}
          empty={
            <EmptyState
              icon={Inbox}
              title="No delivery"
              description={
                status || type
                  ? "Nothing fits these filters."
                  : "The next event this endpoint has subscribed to appears here at once."
              }
            />
          }
        />
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
