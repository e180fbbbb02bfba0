import "server-only";
import { z } from "zod";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { commaList } from "@/lib/platform/text/comma-list";

/**
 * The filter for the live log: types, a line, a chat. Empty matches everything. Internal events, such as an accepted
 * send, are included only with `internal=1`, for timelines.
 */
export const EventFilter = z.object({
  types: commaList(z.string()),
  line_id: z.uuid().optional(),
  chat_id: z.uuid().optional(),
  internal: z.literal("1").optional(),
});

export type EventFilter = z.output<typeof EventFilter>;

export function matchesFilter(event: LoggedEvent, filter: EventFilter): boolean {
  const { types, line_id, chat_id } = filter;
  if (event.internal && filter.internal === undefined) return false;
  if (types.length > 0 && !types.includes(event.type)) return false;
  if (line_id !== undefined && event.lineId !== line_id) return false;
  return chat_id === undefined || event.chatId === chat_id;
}
