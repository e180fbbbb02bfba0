"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import type { z } from "zod";
import type { toReplayFilter } from "@/components/webhooks/replays/replay-fields";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { PreviewReplay } from "@/lib/webhooks/replays/preview-replay";

type Preview = Omit<z.infer<(typeof PreviewReplay)["returns"]>, "retrying" | "next_retry_at"> & {
  /** Only of one endpoint. */
  retrying?: number;
  next_retry_at?: string | null;
  /** Only of all endpoints together: those with events, and the most events of one of them. */
  endpoints?: number;
  largest?: number;
};

const TYPING_MS = 400;
const LOOK_MS = 10_000;

export type ReplayPreviewState = ReturnType<typeof useReplayPreview>;

/** The number of events of one endpoint, or of all (null), that match a filter; reloaded when the user stops typing. */
export function useReplayPreview(id: string | null, filter: ReturnType<typeof toReplayFilter>) {
  const wanted = useDeferredValue(JSON.stringify(filter));
  const [asked, setAsked] = useState(wanted);

  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);

  const isEmpty = filter.statuses.length === 0;
  const { data, error, isFetching } = useQuery<Preview, ApiFailure>({
    queryKey: ["replay-preview", id, asked],
    queryFn: ({ signal }) =>
      apiFetch(id === null ? "/api/webhooks/replays/preview" : `/api/webhooks/${id}/replays/preview`, {
        method: "POST",
        body: { filter: JSON.parse(asked) },
        signal,
      }),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.status === "error" ? false : LOOK_MS),
    retry: false,
  });
  const isCurrent = !isEmpty && error === null && asked === JSON.stringify(filter);

  return { data, error, isFetching, isCurrent, isEmpty };
}
