"use client";

import { useQuery } from "@tanstack/react-query";
import { attachmentsKey } from "@/components/attachments/attachments-key";
import type { StoredTotal } from "@/lib/attachments/total-attachments";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** All files are counted for it: not with each change of the list. */
const COUNT_AGAIN_MS = 60_000;

/** What is stored, as of the last minute; what could not be counted in time is not asked for again. */
export function useTotals(initial: StoredTotal[] | null): StoredTotal[] | null {
  const { data } = useQuery<{ totals: StoredTotal[] }, ApiFailure>({
    queryKey: [...attachmentsKey, "totals"],
    queryFn: ({ signal }) => apiFetch("/api/attachments/totals", { signal }),
    enabled: initial !== null,
    staleTime: COUNT_AGAIN_MS,
    refetchInterval: COUNT_AGAIN_MS,
    ...(initial !== null && { initialData: { totals: initial } }),
  });
  return data?.totals ?? initial;
}
