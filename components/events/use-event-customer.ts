"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { loadTogether } from "@/lib/client/load-together";
import { queryString } from "@/lib/client/query-string";
import type { EventView } from "@/lib/events/store/event-view";

const FRESH_MS = 60_000;

interface ChatCustomer {
  chat_id: string;
  handle: string;
  others: number;
}

const loadChatCustomer = loadTogether<ChatCustomer>(async (chatIds) => {
  const { chats } = await apiFetch<{ chats: ChatCustomer[] }>(
    `/api/chats/customers${queryString({ chat_ids: chatIds.join(",") })}`,
  );
  return new Map(chats.map((chat) => [chat.chat_id, chat]));
});

/**
 * The customer of an event: the participant who caused it, otherwise, also for what the line itself did, the customer of
 * its chat; null while that is unknown, and for events without one.
 */
export function useEventCustomer(event: EventView, line: string | undefined): string | null {
  const isKnown = event.handle !== null && event.handle !== line;
  const { data } = useQuery<ChatCustomer | null, ApiFailure>({
    queryKey: ["chat-customer", event.chat_id],
    queryFn: () => loadChatCustomer(event.chat_id ?? ""),
    enabled: !isKnown && event.chat_id !== null,
    staleTime: FRESH_MS,
    retry: false,
  });
  if (isKnown) return event.handle;
  if (!data || event.summary.includes(data.handle)) return null;
  return data.others === 0 ? data.handle : `${data.handle} and ${data.others} more`;
}
