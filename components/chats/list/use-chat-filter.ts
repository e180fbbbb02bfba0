"use client";

import { useSearchParams } from "next/navigation";
import type { ChatFilter } from "@/components/chats/list/use-chats";
import { queryString } from "@/lib/client/query-string";

/** The chat list filter, stored in the URL so that it can be shared and survives going back. */
export function useChatFilter(): {
  filter: ChatFilter;
  setFilter: (change: Partial<ChatFilter>) => void;
  /** The query string that chat links carry to keep the filter. */
  query: string;
} {
  const parameters = useSearchParams();
  const filter: ChatFilter = {
    line: parameters.get("line"),
    search: parameters.get("q") ?? "",
    service: parameters.get("service"),
    view: parameters.get("view"),
  };

  function toQuery({ line, search, service, view }: ChatFilter): string {
    return queryString({ view, service, line, q: search });
  }

  return {
    filter,
    query: toQuery(filter),
    // Only the list depends on the filter, and it fetches its own data. A router navigation would also reload the
    // page's data.
    setFilter: (change) =>
      window.history.replaceState(null, "", location.pathname + toQuery({ ...filter, ...change })),
  };
}
