import "server-only";
import { z } from "zod";
import type { LoggedEvent } from "@/lib/events/logged-event";

const list = z
  .string()
  .max(2000)
  .default("")
  .transform((value) => value.split(",").filter((item) => item !== ""));

/** Which events a reader of the live log wants: of these types, this line, this chat; empty wants all. */
export const EventFilter = z.object({
  types: list,
  line_id: z.uuid().optional(),
  chat_id: z.uuid().optional(),
});

export type EventFilter = z.output<typeof EventFilter>;

/** Internal events are shown to nobody but the timeline of their own chat. */
export function matchesFilter(event: LoggedEvent, { types, line_id, chat_id }: EventFilter): boolean {
  if (event.internal && chat_id === undefined) return false;
  if (types.length > 0 && !types.includes(event.type)) return false;
  if (line_id !== undefined && event.lineId !== line_id) return false;
  return chat_id === undefined || event.chatId === chat_id;
}
