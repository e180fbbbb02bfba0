"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { SendPlaceObstacles } from "@/lib/messaging/messages/find-obstacles";

// The end of a block or an opt-out emits no chat event.
const REREAD_MS = 20_000;

/** The known reasons why a handle without a chat can't be messaged. */
export function useHandleObstacles(handle: string): SendPlaceObstacles | undefined {
  const { data } = useQuery<{ places: SendPlaceObstacles[] }, ApiFailure>({
    queryKey: ["obstacles", "handle", handle],
    queryFn: ({ signal }) => apiFetch(`/api/obstacles${queryString({ handle })}`, { signal }),
    refetchInterval: REREAD_MS,
  });
  return data?.places.find(({ obstacles }) => obstacles.length > 0);
}
