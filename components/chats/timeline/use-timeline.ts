"use client";

import { type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useChatEvents } from "@/components/chats/chat-events";
import {
  applyMessage,
  type LoadedTimeline,
  type TimelinePage,
} from "@/components/chats/timeline/apply-message";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { TimelineMessage } from "@/lib/messaging/messages/timeline-message";

/** A chat's messages, newest first. Each is fetched again when an event names it. */
export function useTimeline(chatId: string, initial: TimelinePage) {
  const queryClient = useQueryClient();
  const path = `/api/chats/${chatId}/messages`;
  const queryKey = ["timeline", chatId];
  const refresh = useRefresh(queryClient, queryKey, path);
  useChatEvents({
    onEvent: (event) => {
      if (event.chat_id === chatId && event.message_id !== null) void refresh(event.message_id);
    },
    onReady: () => void queryClient.invalidateQueries({ queryKey }),
  });

  const query = useInfiniteQuery<TimelinePage, ApiFailure, TimelineMessage[], string[], string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => apiFetch(`${path}${queryString({ cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    select: ({ pages }) => pages.flatMap((page) => page.messages),
  });
  return { ...query, refresh };
}

/** Fetches one message again. A call during a running fetch causes one more fetch after it. */
function useRefresh(queryClient: QueryClient, queryKey: string[], path: string) {
  const reading = useRef(new Map<string, { again: boolean }>());

  return async function refresh(id: string): Promise<void> {
    const current = reading.current.get(id);
    if (current !== undefined) {
      current.again = true;
      return;
    }
    const state = { again: false };
    reading.current.set(id, state);
    try {
      do {
        state.again = false;
        const message = await readMessage(`${path}/${id}`);
        queryClient.setQueryData<LoadedTimeline>(
          queryKey,
          (loaded) => loaded && applyMessage(loaded, id, message),
        );
      } while (state.again);
    } catch {
      // The next event or reconnect fetches it again, and the timeline's own query reports lasting errors.
    } finally {
      reading.current.delete(id);
    }
  };
}

async function readMessage(path: string): Promise<TimelineMessage | null> {
  try {
    return await apiFetch<TimelineMessage>(path);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}
