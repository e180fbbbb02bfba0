"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { TargetSendBlockers } from "@/lib/messaging/sending/find-send-blockers";

// The end of a block or an opt-out emits no chat event.
const REREAD_MS = 20_000;

/** The known reasons why a handle without a chat can't be messaged. */
export function useHandleSendBlockers(handle: string): TargetSendBlockers | undefined {
  const { data } = useQuery<{ places: TargetSendBlockers[] }, ApiFailure>({
    queryKey: ["send-blockers", "handle", handle],
    queryFn: ({ signal }) => apiFetch(`/api/send-blockers${queryString({ handle })}`, { signal }),
    refetchInterval: REREAD_MS,
  });
  return data?.places.find(({ sendBlockers }) => sendBlockers.length > 0);
}
