"use client";

import { usePathname, useRouter } from "next/navigation";
import { useTransition } from "react";
import {
  changeFilters,
  clearFilters,
  type Filter,
  type FilterChange,
  type FilterValues,
} from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";

export type Filters = ReturnType<typeof useFilters>;

/** The filters of a list. Their values are stored in the page's URL; a change navigates and reloads the list. */
export function useFilters(filters: readonly Filter[], values: FilterValues) {
  const router = useRouter();
  const pathname = usePathname();
  const [isPending, startTransition] = useTransition();
  const cleared = clearFilters(filters, values);

  function show(next: FilterValues): void {
    startTransition(() => router.replace(`${pathname}${queryString(next)}`, { scroll: false }));
  }

  return {
    filters,
    values,
    /** Whether the list is still loading after the last change. */
    isPending,
    /** The number of active filter values. */
    count: Object.keys(values).length - Object.keys(cleared).length,
    change: (part: FilterChange) => show(changeFilters(values, part)),
    clear: () => show(cleared),
  };
}
