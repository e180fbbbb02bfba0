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
  const filter = filterOf(useSearchParams());

  function toQuery({ line, search, service, team, view }: ChatFilter): string {
    return queryString({ view, service, team, line, q: search });
  }

  return {
    filter,
    query: toQuery(filter),
    // Only the list depends on the filter, and it fetches its own data. A router navigation would also reload the
    // page's data. The address has a change before the parameters of the next rendering have it.
    setFilter: (change) => {
      const current = filterOf(new URLSearchParams(location.search));
      window.history.replaceState(null, "", location.pathname + toQuery({ ...current, ...change }));
    },
  };
}

function filterOf(parameters: Pick<URLSearchParams, "get">): ChatFilter {
  return {
    line: parameters.get("line"),
    search: parameters.get("q") ?? "",
    service: parameters.get("service"),
    team: parameters.get("team"),
    view: parameters.get("view"),
  };
}
