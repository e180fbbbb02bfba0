"use client";

import { useQuery } from "@tanstack/react-query";
import { lineKey } from "@/components/lines/lines-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

const LOOK_MS = 30_000;
const AUDIT_LOOK_MS = 1500;

/** A line, refetched regularly, and more often while an audit of it runs. */
export function useLine(initial: LineDetails) {
  return useQuery<LineDetails, ApiFailure>({
    queryKey: lineKey(initial.id),
    queryFn: ({ signal }) => apiFetch(`/api/lines/${initial.id}`, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) =>
      state.data?.audits.some(({ status }) => status === "pending") ? AUDIT_LOOK_MS : LOOK_MS,
  });
}
