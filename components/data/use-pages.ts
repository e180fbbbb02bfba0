"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";

type Paged = { next_cursor: string | null };

interface Pages<Page> {
  initial: Page;
  /** Where the pages come from, and the same query for all of them. */
  path: string;
  query: Record<string, string>;
  /** What is shown with the next page below it. */
  join: (shown: Page, next: Page) => Page;
}

/** A list as it was when its page came, and older items on demand. */
export function usePages<Page extends Paged>({ initial, path, query, join }: Pages<Page>) {
  const [page, setPage] = useState(initial);
  const older = useMutation<Page, ApiFailure>({
    mutationFn: () => apiFetch(`${path}${queryString({ ...query, cursor: page.next_cursor })}`),
    onSuccess: (next) => setPage((shown) => join(shown, next)),
  });
  return { page, older };
}
