"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";
import type { PhoneViews } from "@/lib/simulator/phones/phone-views";

const phonesKey = ["phones"];
const EVENTS_MS = 120;
/** Messages reach the other members of a group without an event, after the delay of their phones. */
const AFTER_EVENT_MS = 450;
/** A line's typing and reading emit no event. */
const POLL_MS = 2500;

/** The account's phones and the screens of the open ones, updated live. */
export function usePhones(open: readonly string[], initial: PhoneViews) {
  const queryClient = useQueryClient();
  const first = useRef(open.join(","));
  const query = useQuery<PhoneViews, ApiFailure>({
    queryKey: [...phonesKey, ...open],
    queryFn: ({ signal }) => apiFetch(`/api/phones${queryString({ open: open.join(",") })}`, { signal }),
    initialData: () => (open.join(",") === first.current ? initial : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

  const refresh = () => queryClient.invalidateQueries({ queryKey: phonesKey });
  const refreshSoon = useThrottled(() => void refresh(), EVENTS_MS);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(later.current), []);
  function onEvent(): void {
    refreshSoon();
    clearTimeout(later.current);
    later.current = setTimeout(() => void refresh(), AFTER_EVENT_MS);
  }
  const status = useEventStream({ internal: true, onEvent, onReady: onEvent });
  return { view: query.data ?? initial, failure: query.error, status, refresh };
}
