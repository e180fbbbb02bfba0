import type { ChatNote } from "@/lib/messaging/chats/list-chat-notes";
import type { TimelineMessage } from "@/lib/messaging/messages/timeline-message";

/** What a timeline shows in a row: a message, or what happened between two. */
export interface TimelineEntry {
  id: string;
  created_at: string;
  message: TimelineMessage | null;
  /** Of a note. */
  text: string;
}

/**
 * Messages, newest first, and notes as one timeline, oldest first. While older messages are to be loaded, notes of
 * their time wait for them.
 */
export function toEntries(
  messages: readonly TimelineMessage[],
  notes: readonly ChatNote[],
  hasOlder: boolean,
): TimelineEntry[] {
  const oldest = messages.at(-1)?.created_at;
  const shown = notes.filter((note) => !hasOlder || (oldest !== undefined && note.created_at >= oldest));
  const entries: TimelineEntry[] = messages.toReversed().map((message) => {
    const { id, created_at } = message;
    return { id, created_at, message, text: "" };
  });
  entries.push(...shown.map((note) => ({ ...note, message: null })));
  return entries.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
}
