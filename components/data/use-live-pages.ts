"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";

const REFRESH_MS = 1000;

type Paged = { next_cursor: string | null };

interface LivePages<Page> {
  initial: Page;
  /** Where the pages come from, and the same query for all of them. What else is read under `[path]` follows too. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The events after which the list may be another; internal ones too. */
  types: readonly string[];
}

/** A list as it is now, read again when something happens to it, and older items on demand. */
export function useLivePages<Page extends Paged>({ initial, path, query, types }: LivePages<Page>) {
  const queryClient = useQueryClient();
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false }),
    REFRESH_MS,
  );
  useEventStream({ types, internal: true, onEvent: refresh, onReady: refresh });
  const list = useInfiniteQuery<Page, ApiFailure, Page[], unknown[], string | null>({
    queryKey: [path, "list", query],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`${path}${queryString({ ...query, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    select: ({ pages }) => pages,
  });
  return { list, pages: list.data ?? [initial], refresh };
}
