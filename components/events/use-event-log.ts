"use client";

import { useMutation } from "@tanstack/react-query";
import { useReducer } from "react";
import { type LogPage, openLog, reduceLog } from "@/components/events/event-log";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";

interface EventSearch {
  /** Changes with the search. The log then starts again with the page. */
  id: string;
  query: Record<string, string>;
  /** The first page. */
  page: LogPage;
  /** Whether new events are added. false: the stream cannot apply the filters. */
  isLive: boolean;
  /** The `seq` of the newest event when the page was rendered. */
  after: number;
}

/** The account's events that match a search: those of its first page, live ones, and older ones on demand. */
export function useEventLog({ id, query, page, isLive, after }: EventSearch) {
  const [log, act] = useReducer(reduceLog, page, (first) => openLog(id, first));
  if (log.id !== id) act({ type: "open", log: openLog(id, page) });
  const status = useEventStream({
    isEnabled: isLive,
    types: query.types?.split(",") ?? [],
    lineId: query.line_id,
    chatId: query.chat_id,
    after,
    onEvent: (event) => act({ type: "hear", event }),
  });
  const older = useMutation<{ id: string; page: LogPage }, ApiFailure>({
    mutationKey: ["older-events", id],
    mutationFn: async () => {
      const path = `/api/events${queryString({ ...query, cursor: log.cursor })}`;
      return { id, page: await apiFetch<LogPage>(path) };
    },
    onSuccess: (read) => act({ type: "append", ...read }),
  });

  return { log, act, status, older };
}
