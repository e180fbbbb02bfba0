import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { ChatTurn } from "@/lib/messaging/turns/list-chat-turns";

export interface TimelinePage {
  /** Newest first. */
  messages: MessageView[];
  next_cursor: string | null;
  /** Where newer messages follow that are not loaded; null when the page begins with the newest one. */
  newer_cursor: string | null;
  /** The closed turns of the messages. */
  turns?: ChatTurn[] | undefined;
}

/** Which page of a timeline: the one after a cursor, before one, or the first. */
export interface PageParam {
  cursor?: string;
  newer?: string;
}

export interface LoadedTimeline {
  pages: TimelinePage[];
  pageParams: PageParam[];
}

/**
 * Returns the loaded pages with one message replaced, inserted by id into the first page if it is new and the page has
 * the newest messages, or removed if it is null. Ids sort by creation.
 */
export function applyMessage(
  loaded: LoadedTimeline,
  id: string,
  message: MessageView | null,
): LoadedTimeline {
  const known = loaded.pages.some((page) => page.messages.some((other) => other.id === id));
  const pages = loaded.pages.map((page, index) => {
    if (known)
      return {
        ...page,
        messages: page.messages.flatMap((other) => (other.id === id ? (message ?? []) : other)),
      };
    return index === 0 && message !== null && page.newer_cursor === null
      ? { ...page, messages: insert(page.messages, message) }
      : page;
  });
  return { ...loaded, pages };
}

function insert(messages: MessageView[], message: MessageView): MessageView[] {
  const place = messages.findIndex((other) => other.id < message.id);
  return place === -1 ? [...messages, message] : messages.toSpliced(place, 0, message);
}
