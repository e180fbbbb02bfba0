import { useQuery } from "@tanstack/react-query";
import { HINTS_PATH } from "@/components/opt-outs/hints-path";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

const REREAD_MS = 20_000;

/** The message of a recipient that may be an opt-out and waits for a decision. */
export function useNearMiss(handle: string | null): OptOutHint | null {
  const { data } = useQuery<{ hints: OptOutHint[] }, ApiFailure>({
    queryKey: [HINTS_PATH, "chat", handle],
    queryFn: ({ signal }) => apiFetch(`${HINTS_PATH}${queryString({ handle, limit: 1 })}`, { signal }),
    enabled: handle !== null,
    refetchInterval: REREAD_MS,
  });
  return data?.hints[0] ?? null;
}
