"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

/** The chats of each view. Read again together with the list, whose key this one begins with. */
export function useInboxCounts(initial: InboxCounts): InboxCounts {
  const { data } = useQuery<InboxCounts, ApiFailure>({
    queryKey: ["conversations", "counts"],
    queryFn: ({ signal }) => apiFetch("/api/chats/counts", { signal }),
    initialData: initial,
  });
  return data;
}
