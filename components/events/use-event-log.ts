"use client";

import { useMutation } from "@tanstack/react-query";
import { useReducer } from "react";
import { reduceLog } from "@/components/events/event-log";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import type { EventNotice } from "@/lib/events/event-notice";

interface EventPage {
  events: EventNotice[];
  next_cursor: string | null;
}

/** The account's events that match `query`: those of the first page, live ones, and older ones on demand. */
export function useEventLog(query: Record<string, string>, initial: EventPage, after: number) {
  const [log, act] = useReducer(reduceLog, {
    events: initial.events,
    waiting: [],
    paused: false,
    cursor: initial.next_cursor,
  });
  const status = useEventStream({
    types: query.types?.split(",") ?? [],
    lineId: query.line_id,
    chatId: query.chat_id,
    after,
    onEvent: (event) => act({ type: "hear", event }),
  });
  const older = useMutation<EventPage, ApiFailure>({
    mutationFn: () => apiFetch(`/api/events${queryString({ ...query, cursor: log.cursor })}`),
    onSuccess: ({ events, next_cursor }) => act({ type: "append", events, cursor: next_cursor }),
  });

  return { log, act, status, older };
}
