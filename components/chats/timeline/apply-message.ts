import type { TimelineMessage } from "@/lib/messaging/messages/timeline-message";

export interface TimelinePage {
  /** Newest first. */
  messages: TimelineMessage[];
  next_cursor: string | null;
}

export interface LoadedTimeline {
  pages: TimelinePage[];
  pageParams: (string | null)[];
}

/**
 * Returns the loaded pages with one message replaced, inserted by id into the first page if it is new, or removed if
 * it is null. Ids sort by creation.
 */
export function applyMessage(
  loaded: LoadedTimeline,
  id: string,
  message: TimelineMessage | null,
): LoadedTimeline {
  const known = loaded.pages.some((page) => page.messages.some((other) => other.id === id));
  const pages = loaded.pages.map((page, index) => {
    if (known)
      return {
        ...page,
        messages: page.messages.flatMap((other) => (other.id === id ? (message ?? []) : other)),
      };
    return index === 0 && message !== null ? { ...page, messages: insert(page.messages, message) } : page;
  });
  return { ...loaded, pages };
}

function insert(messages: TimelineMessage[], message: TimelineMessage): TimelineMessage[] {
  const place = messages.findIndex((other) => other.id < message.id);
  return place === -1 ? [...messages, message] : messages.toSpliced(place, 0, message);
}
