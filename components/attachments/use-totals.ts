"use client";

import { useQuery } from "@tanstack/react-query";
import { attachmentsKey } from "@/components/attachments/attachments-key";
import type { StoredTotal } from "@/lib/attachments/total-attachments";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** What is stored, as it is now; what could not be counted in time is not asked for again. */
export function useTotals(initial: StoredTotal[] | null): StoredTotal[] | null {
  const { data } = useQuery<{ totals: StoredTotal[] }, ApiFailure>({
    queryKey: [...attachmentsKey, "totals"],
    queryFn: ({ signal }) => apiFetch("/api/attachments/totals", { signal }),
    enabled: initial !== null,
    ...(initial !== null && { initialData: { totals: initial } }),
  });
  return data?.totals ?? initial;
}
