"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { AttachmentFilter } from "@/components/attachments/attachment-filter";
import { AttachmentTable } from "@/components/attachments/attachment-table";
import { AttachmentTotals } from "@/components/attachments/attachment-totals";
import { attachmentsKey } from "@/components/attachments/attachments-key";
import { NoAttachments } from "@/components/attachments/no-attachments";
import { UploadButton } from "@/components/attachments/upload-button";
import { useTotals } from "@/components/attachments/use-totals";
import { useUploadsShown } from "@/components/attachments/use-uploads-shown";
import { UploadList } from "@/components/composer/upload-list";
import { useFileDrop } from "@/components/composer/use-file-drop";
import { CsvLink } from "@/components/data/csv-link";
import { FailureNote } from "@/components/data/failure-note";
import { LoadMore } from "@/components/data/load-more";
import type { ListedAttachment } from "@/lib/attachments/listed-attachment";
import type { StoredTotal } from "@/lib/attachments/total-attachments";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";
import { cn } from "@/lib/cn";

const REFRESH_MS = 2000;
/** Uploads of programs tell no event: the first page is looked at again. */
const LOOK_AGAIN_MS = 10_000;
const MOVED = ["message.received", "message.sent"];

type AttachmentPage = { attachments: ListedAttachment[]; next_cursor: string | null };

type AttachmentsViewProps = {
  initial: AttachmentPage;
  totals: StoredTotal[] | null;
  filter: AttachmentFilter;
  baseUrl: string;
  mayUpload: boolean;
};

/** The account's files as filtered, as they are now, and those on their way up. */
export function AttachmentsView({ initial, filter, baseUrl, mayUpload, ...stored }: AttachmentsViewProps) {
  const list = useAttachments(initial, filter);
  const totals = useTotals(stored.totals);
  const { uploads, add, remove, retry } = useUploadsShown();
  const isOver = useFileDrop(mayUpload, add);
  const attachments = list.data ?? [];

  return (
    <div
      className={cn(
        "flex min-w-0 flex-col gap-3 rounded-xl",
        isOver && "outline-2 outline-brand outline-dashed outline-offset-8",
      )}
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <AttachmentTotals totals={totals} />
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {attachments.length > 0 && <CsvLink href={`/api/attachments/csv${queryString({ ...filter })}`} />}
          {mayUpload && <UploadButton onChoose={add} />}
        </div>
      </div>
      <UploadList uploads={uploads} onRemove={remove} onRetry={retry} />
      <FailureNote
        title="The list may be out of date"
        failure={list.error}
        onRetry={() => void list.refetch()}
      />
      <AttachmentTable
        attachments={attachments}
        empty={<NoAttachments filtered={Object.keys(filter).length > 0} baseUrl={baseUrl} />}
      />
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
        label="older files"
      />
    </div>
  );
}

function useAttachments(initial: AttachmentPage, filter: AttachmentFilter) {
  const queryClient = useQueryClient();
  const refresh = useThrottled(
    () =>
      void queryClient.invalidateQueries({ queryKey: [...attachmentsKey, "list"] }, { cancelRefetch: false }),
    REFRESH_MS,
  );
  useEventStream({ types: MOVED, onEvent: refresh, onReady: refresh });
  return useInfiniteQuery<AttachmentPage, ApiFailure, ListedAttachment[], unknown[], string | null>({
    queryKey: [...attachmentsKey, "list", filter],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/attachments${queryString({ ...filter, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) === 1 ? LOOK_AGAIN_MS : false),
    select: ({ pages }) => pages.flatMap((page) => page.attachments),
  });
}
