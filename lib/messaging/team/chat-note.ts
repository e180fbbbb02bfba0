import "server-only";
import { z } from "zod";

/** A change of a chat, or an internal note, in the dashboard's timeline, shown between messages. */
export const ChatNote = z.object({
  id: z.uuid(),
  /** event: a change of the chat or of the team. note: an internal note, written by `by`. */
  type: z.enum(["event", "note"]),
  text: z.string(),
  by: z.string().nullable(),
  /** The last known position of a location share; null for other notes, and while it is unknown. */
  location: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      place: z.string().nullable(),
      at: z.iso.datetime().nullable(),
    })
    .nullable(),
  created_at: z.iso.datetime(),
});

export type ChatNote = z.infer<typeof ChatNote>;
