"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

/** The list of chats reads the counts again with each event. Other pages ask, also in a tab in the background. */
const LOOK_MS = 20_000;
const MAX_SHOWN = 99;
const COUNT = /^\(\d+\+?\) /;

/** The number of unread chats at the beginning of the title of every page. Screen readers don't read changes of a title. */
export function TitleCount() {
  // The query of `useInboxCounts`. Its module is not imported, because it would leave the script of the list of chats.
  const { data } = useQuery<InboxCounts, ApiFailure>({
    queryKey: ["conversations", "counts"],
    queryFn: ({ signal }) => apiFetch("/api/chats/counts", { signal }),
    refetchInterval: LOOK_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
  const unread = data?.unread ?? 0;

  useEffect(() => {
    show(unread);
    // A navigation replaces the title.
    const titles = new MutationObserver(() => show(unread));
    titles.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      titles.disconnect();
      show(0);
    };
  }, [unread]);

  return null;
}

function show(unread: number): void {
  const title = titleWithCount(document.title, unread);
  if (document.title !== title) document.title = title;
}

/** Returns the title of a page with the count of unread chats, which replaces an earlier one. 0 is not shown. */
export function titleWithCount(title: string, unread: number): string {
  const name = title.replace(COUNT, "");
  if (unread === 0) return name;
  return `(${unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}) ${name}`;
}
