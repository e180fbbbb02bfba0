"use client";

import { useSearchParams } from "next/navigation";
import type { ChatFilter } from "@/components/chats/use-conversations";
import { queryString } from "@/lib/client/query-string";

/** The filter of the chat list as the address has it, so that it can be shared and survives going back. */
export function useChatFilter(): {
  filter: ChatFilter;
  setFilter: (change: Partial<ChatFilter>) => void;
  /** What a chat's address carries so that the list stays as it is. */
  query: string;
} {
  const parameters = useSearchParams();
  const filter: ChatFilter = { line: parameters.get("line"), search: parameters.get("q") ?? "" };

  function toQuery({ line, search }: ChatFilter): string {
    return queryString({ line, q: search });
  }

  return {
    filter,
    query: toQuery(filter),
    // Only the list depends on it, and that asks by itself: no need to bother the server for the page.
    setFilter: (change) =>
      window.history.replaceState(null, "", location.pathname + toQuery({ ...filter, ...change })),
  };
}
