"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";

const REFRESH_MS = 1000;

/** One page of a list; without a cursor it is the whole list. */
export type Paged = { next_cursor?: string | null; [items: string]: unknown };

/** How a list learns of changes. */
export interface Live {
  /** The events after which the list is read again, internal ones too. */
  types?: readonly string[];
  /** How often a list is read again that no event announces. With n pages loaded, n times more seldom. */
  everyMs?: number;
}

interface LivePages<Page> extends Live {
  initial: Page;
  /** The path of the list's API. Whatever else is cached under `[path]` is read again with the list. */
  path: string;
  query: Readonly<Record<string, string>>;
}

/** The pages of a list, kept up to date, and further pages on demand. */
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
