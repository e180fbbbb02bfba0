"use client";

import { useQuery } from "@tanstack/react-query";
import { loadHandleName } from "@/components/customers/load-handle-name";
import type { ApiFailure } from "@/lib/client/api-fetch";

const FRESH_MS = 60_000;

/** The query keys of names: after a change, the name of one handle is read anew. */
export const handleNameKey = (handle: string) => ["handle-name", handle];

/** The name of a handle; null while it is unknown or has none. Handles shown together share one request. */
export function useHandleName(handle: string): string | null {
  const { data } = useQuery<string | null, ApiFailure>({
    queryKey: handleNameKey(handle),
    queryFn: () => loadHandleName(handle),
    staleTime: FRESH_MS,
    retry: false,
  });
  return data ?? null;
}
