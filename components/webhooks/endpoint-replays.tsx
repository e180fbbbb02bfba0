"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { ReplayDialog } from "@/components/webhooks/replay-dialog";
import { FAILED } from "@/components/webhooks/replay-fields";
import { ReplayProgress } from "@/components/webhooks/replay-progress";
import { ReplayTable } from "@/components/webhooks/replay-table";
import { replaysKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { EventGroupChoice } from "@/lib/events/event-groups";
import type { WebhookReplay } from "@/lib/webhooks/webhook-replay";

type ReplayPage = { replays: WebhookReplay[]; next_cursor: string | null };

type EndpointReplaysProps = {
  id: string;
  initial: ReplayPage;
  mayManage: boolean;
  groups: EventGroupChoice[];
  lines: { id: string; phone_number: string }[];
};

const LOOK_MS = 5000;

/** An endpoint's replays: buttons that start one, the running replay, and past replays. */
export function EndpointReplays({ id, initial, mayManage, groups, lines }: EndpointReplaysProps) {
  const found = useInfiniteQuery<ReplayPage, ApiFailure, WebhookReplay[], string[], string | null>({
    queryKey: replaysKey(id),
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/webhooks/replays${queryString({ subscription_id: id, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    initialData: { pages: [initial], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: LOOK_MS,
    select: ({ pages }) => pages.flatMap(({ replays }) => replays),
  });
  const replays = found.data ?? [];
  const underWay = replays.filter(({ ended_at, selection }) => ended_at === null && "filter" in selection);

  return (
    <section aria-label="Replays" className="flex min-w-0 flex-col gap-4">
      {mayManage && (
        <div className="flex flex-wrap gap-2">
          <ReplayDialog
            label="Replay failed…"
            id={id}
            groups={groups}
            lines={lines}
            initial={FAILED}
            narrowed={false}
          />
          <ReplayDialog
            label="Replay by filter…"
            id={id}
            groups={groups}
            lines={lines}
            initial={{ ...FAILED, statuses: ["delivered", "failed", "skipped"] }}
            narrowed
          />
        </div>
      )}
      {found.error && (
        <ErrorNote
          title="The replays may be out of date"
          code={found.error.code}
          traceId={found.error.traceId}
          onRetry={() => void found.refetch()}
        >
          {found.error.message}
        </ErrorNote>
      )}
      {underWay.map((replay) => (
        <ReplayProgress key={replay.id} initial={replay} mayManage={mayManage} />
      ))}
      <ReplayTable replays={replays} mayManage={mayManage} />
      <LoadMore
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onLoadMore={() => void found.fetchNextPage()}
        label="older replays"
      />
    </section>
  );
}
