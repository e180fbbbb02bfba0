"use client";

import { usePathname, useSearchParams } from "next/navigation";

const PARAM = "open";
/** In the history entry of an opened panel. */
const MARK = "trunklineOpenRow";

/**
 * The row that is open in a side panel, kept in the address (`?open=`). Opening it adds an entry to the browser's history,
 * so Back closes the panel; closing it returns to the entry before.
 */
export function useOpenRow(): { open: string | null; show: (key: string) => void; close: () => void } {
  const open = useSearchParams().get(PARAM);
  const pathname = usePathname();

  // Next adds its own state to new entries. It ignores changes of the address that already contain this state.
  function addressWith(key: string | null): string {
    const params = new URLSearchParams(location.search);
    if (key === null) params.delete(PARAM);
    else params.set(PARAM, key);
    const query = params.toString();
    return query === "" ? pathname : `${pathname}?${query}`;
  }

  function show(key: string): void {
    // Another row replaces the open one, so that one step back still closes the panel.
    if (open === null) history.pushState({ [MARK]: true }, "", addressWith(key));
    else history.replaceState({ [MARK]: history.state?.[MARK] }, "", addressWith(key));
  }

  function close(): void {
    if (history.state?.[MARK] === true) history.back();
    else history.replaceState(null, "", addressWith(null));
  }

  return { open, show, close };
}
