"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

/** The chats of each view. Read again together with the list, whose key this query's begins with. */
export const inboxCounts = queryOptions<InboxCounts, ApiFailure>({
  queryKey: ["conversations", "counts"],
  queryFn: ({ signal }) => apiFetch("/api/chats/counts", { signal }),
});

/** The chats of each view, as the page was loaded with them and from then on. */
export function useInboxCounts(initial: InboxCounts): InboxCounts {
  return useQuery({ ...inboxCounts, initialData: initial }).data;
}
