"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useChatEvents } from "@/components/chats/chat-events";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useThrottled } from "@/lib/client/use-throttled";
import type { ChatView } from "@/lib/messaging/inbox/list-chat-views";
import type { ListTotal } from "@/lib/platform/lists/total-of";

export interface ChatPage {
  conversations: ChatView[];
  next_cursor: string | null;
  total: ListTotal;
}

export interface ChatFilter {
  line: string | null;
  search: string;
  service: string | null;
  /** The id of a team. */
  team: string | null;
  view: string | null;
}

export const NO_FILTER: ChatFilter = { line: null, search: "", service: null, team: null, view: null };

const REFRESH_MS = 1000;

/** The account's filtered chats, refreshed on every event in a chat. */
export function useChats(filter: ChatFilter, initial: ChatPage | undefined) {
  const queryClient = useQueryClient();
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: ["conversations"] }, { cancelRefetch: false }),
    REFRESH_MS,
  );
  const stream = useChatEvents({ onEvent: refresh, onReady: refresh });

  const parameters = {
    line_id: filter.line,
    search: filter.search,
    service: filter.service,
    team_id: filter.team,
    view: filter.view,
  };
  const query = useInfiniteQuery<ChatPage, ApiFailure, ChatPage[], unknown[], string | null>({
    queryKey: ["conversations", parameters],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/chats${queryString({ ...parameters, cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: initial && { pages: [initial], pageParams: [null] },
    select: ({ pages }) => pages,
  });
  return { query, stream, csv: `/api/chats/csv${queryString(parameters)}` };
}
