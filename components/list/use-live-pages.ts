"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";
import type { ListTotal } from "@/lib/platform/lists/total-of";

const REFRESH_MS = 1000;

/** A page of a list, with its total (`totalOf`). Without a cursor, it is the whole list. */
export type Paged =
  | { next_cursor: string | null; total: ListTotal; [items: string]: unknown }
  | { next_cursor?: undefined; total?: undefined; [items: string]: unknown };

/** The source of a list's changes. */
export interface LiveSource {
  /** The event types that refetch the list, including internal ones. */
  types?: readonly string[];
  /** The polling interval of a list without events. With n pages loaded, it is n times longer. */
  everyMs?: number;
}

interface LivePages<Page> extends LiveSource {
  initial: Page;
  /** The path of the list's API. Other queries under `[path]` are refetched with the list. */
  path: string;
  query: Readonly<Record<string, string>>;
}

/** The pages of a list, refetched on changes, with further pages on demand. */
export function useLivePages<Page extends Paged>({ initial, path, query, types, everyMs }: LivePages<Page>) {
  const queryClient = useQueryClient();
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false }),
    REFRESH_MS,
  );
  useEventStream({
    types,
    isEnabled: types !== undefined,
    internal: true,
    onEvent: refresh,
    onReady: refresh,
  });
  const list = useInfiniteQuery<Page, ApiFailure, Page[], unknown[], string | null>({
    queryKey: [path, "list", query],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`${path}${queryString({ ...query, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: ({ state }) => everyMs !== undefined && everyMs * (state.data?.pages.length ?? 1),
    select: ({ pages }) => pages,
  });
  return { list, pages: list.data ?? [initial], refresh };
}
