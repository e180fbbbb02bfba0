import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { ChatNote } from "@/lib/messaging/team/chat-note";

/** A row of the timeline: a message, or a note between messages. */
export interface TimelineEntry {
  id: string;
  created_at: string;
  message: MessageView | null;
  /** The text of a note; empty for a message. */
  text: string;
  /** The author of an internal note; null for messages and events. */
  by: string | null;
  location: ChatNote["location"];
}

/**
 * Merges messages (newest first) and notes into one timeline, oldest first. While older messages can still be loaded,
 * notes from that time are held back; likewise notes after the last message while newer messages can be.
 */
export function toEntries(
  messages: readonly MessageView[],
  notes: readonly ChatNote[],
  hasOlder: boolean,
  hasNewer = false,
): TimelineEntry[] {
  const oldest = messages.at(-1)?.created_at;
  const newest = messages[0]?.created_at;
  const shown = notes.filter(
    ({ created_at: at }) =>
      (!hasOlder || (oldest !== undefined && at >= oldest)) &&
      (!hasNewer || (newest !== undefined && at <= newest)),
  );
  const entries: TimelineEntry[] = messages.toReversed().map((message) => {
    const { id, created_at } = message;
    return { id, created_at, message, text: "", by: null, location: null };
  });
  entries.push(...shown.map((note) => ({ ...note, message: null })));
  return entries.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
}
