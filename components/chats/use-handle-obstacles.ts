"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { SendPlaceObstacles } from "@/lib/messaging/messages/find-obstacles";

// Blocks and opt-outs end without an event of a chat.
const REREAD_MS = 20_000;

/** What is known to keep somebody without a chat from being written to. */
export function useHandleObstacles(handle: string): SendPlaceObstacles | undefined {
  const { data } = useQuery<{ places: SendPlaceObstacles[] }, ApiFailure>({
    queryKey: ["obstacles", "handle", handle],
    queryFn: ({ signal }) => apiFetch(`/api/obstacles${queryString({ handle })}`, { signal }),
    refetchInterval: REREAD_MS,
  });
  return data?.places.find(({ obstacles }) => obstacles.length > 0);
}
