"use client";

import { type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useChatEvents } from "@/components/chats/chat-events";
import {
  applyMessage,
  type LoadedTimeline,
  type PageParam,
  type TimelinePage,
} from "@/components/chats/timeline/apply-message";
import { untilLoaded } from "@/components/data/until-loaded";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { ChatTurn } from "@/lib/messaging/turns/list-chat-turns";

interface Loaded {
  messages: MessageView[];
  turns: ChatTurn[];
}

/**
 * A chat's messages, newest first, and their turns. A message is fetched again when an event names it. `at`: the message
 * that the first page is around, if not the newest.
 */
export function useTimeline(chatId: string, initial: TimelinePage, at?: string) {
  const queryClient = useQueryClient();
  const path = `/api/chats/${chatId}/messages`;
  const queryKey = at === undefined ? ["timeline", chatId] : ["timeline", chatId, at];
  const refresh = useRefresh(queryClient, queryKey, path);
  // Apart from the pages: a page that is being read again may not have a turn that has just closed.
  const [closed, setClosed] = useState<ChatTurn[]>([]);
  useChatEvents({
    onEvent: ({ chat_id, message_id, type, id }) => {
      if (chat_id !== chatId) return;
      if (message_id !== null) void refresh(message_id);
      else if (type === "chat.turn") void addTurn(id);
    },
    onReady: () => void queryClient.invalidateQueries({ queryKey }),
  });

  async function addTurn(id: string): Promise<void> {
    const { loadTurn } = await untilLoaded(() => import("@/components/chats/timeline/load-turn"));
    const turn = await loadTurn(chatId, id);
    if (turn !== null) setClosed((known) => [...known, turn]);
  }

  const { data, ...query } = useInfiniteQuery<TimelinePage, ApiFailure, Loaded, string[], PageParam>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`${path}${queryString(isFirst(pageParam) ? { around: at } : { ...pageParam })}`, { signal }),
    initialPageParam: {},
    getNextPageParam: ({ next_cursor: cursor }) => (cursor === null ? null : { cursor }),
    getPreviousPageParam: ({ newer_cursor: newer }) => (newer === null ? null : { newer }),
    initialData: { pages: [initial], pageParams: [{}] },
    select: join,
  });
  const turns = useMemo(() => [...data.turns, ...closed], [data.turns, closed]);
  return { ...query, messages: data.messages, turns, refresh };
}

function join({ pages }: LoadedTimeline): Loaded {
  return {
    messages: pages.flatMap((page) => page.messages),
    turns: pages.flatMap((page) => page.turns ?? []),
  };
}

function isFirst({ cursor, newer }: PageParam): boolean {
  return cursor === undefined && newer === undefined;
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

async function readMessage(path: string): Promise<MessageView | null> {
  try {
    return await apiFetch<MessageView>(path);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}
