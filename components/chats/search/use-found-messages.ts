"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { FoundMessage } from "@/lib/messaging/search/search-message-views";

export interface FoundPage {
  messages: FoundMessage[];
  next_cursor: string | null;
  state: "on" | "catching_up" | "off";
  /** Whether not all chats of the person were searched. */
  is_limited?: boolean;
}

/** The messages that a search finds, newest first, page by page. Dates in the search are of the browser's time zone. */
export function useFoundMessages(q: string) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return useInfiniteQuery<FoundPage, ApiFailure, FoundPage[], string[], string | null>({
    queryKey: ["found-messages", q],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/messages/search${queryString({ q, zone, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages,
  });
}
