"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import {
  changeFilters,
  clearFilters,
  type Filter,
  type FilterChange,
  type FilterValues,
} from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";
import { useUrlValues } from "@/lib/client/use-url-values";

export type Filters = ReturnType<typeof useFilters>;

/** The filters of a list. Their values are stored in the page's URL; a change navigates and reloads the list. */
export function useFilters(filters: readonly Filter[], loaded: FilterValues) {
  const pathname = usePathname();
  const { values, isPending, show } = useUrlValues(loaded, (next) => `${pathname}${queryString(next)}`);
  const cleared = clearFilters(filters, values);
  const [clears, setClears] = useState(0);

  function clear(): void {
    setClears((count) => count + 1);
    show(cleared);
  }

  return {
    filters,
    /** The chosen values, also while the list is still loading. */
    values,
    isPending,
    /** The number of active filter values. */
    count: Object.keys(values).length - Object.keys(cleared).length,
    change: (part: FilterChange) => show(changeFilters(values, part)),
    clear,
    /** How often the filters were cleared: a key for fields, which then lose a text that was not applied. */
    clears,
  };
}
