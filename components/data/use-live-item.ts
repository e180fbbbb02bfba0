"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";

const REFRESH_MS = 1000;

interface LiveItem<Item> {
  initial: Item;
  /** The path to fetch the item from. */
  path: string;
  /** The event types that may change the item, including internal ones. */
  types: readonly string[];
}

/** An item that is refetched when an event may have changed it. */
export function useLiveItem<Item>({ initial, path, types }: LiveItem<Item>) {
  const queryClient = useQueryClient();
  const refresh = useThrottled(() => void queryClient.invalidateQueries({ queryKey: [path] }), REFRESH_MS);
  useEventStream({ types, internal: true, onEvent: refresh, onReady: refresh });
  const { data, error, refetch } = useQuery<Item, ApiFailure>({
    queryKey: [path],
    queryFn: ({ signal }) => apiFetch(path, { signal }),
    initialData: () => initial,
  });
  return { data: data ?? initial, error, refetch };
}
