import "server-only";
import { z } from "zod";
import { EXAMPLE_CHAT_ID } from "@/lib/events/catalog/example-data";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

/** A chat in payloads that refer to it: its id, whether it is a group, and its line. */
export const EventChat = z
  .object({
    id: z.uuid().describe("ID of the chat."),
    is_group: z.boolean().describe("`true` if the chat is a group, that is, has more than one recipient."),
    owner_handle: ChatHandle.describe("Your line in the chat."),
  })
  .meta({ id: "EventChat", description: "The chat that an event is about." });

export const EXAMPLE_EVENT_CHAT: z.input<typeof EventChat> = {
  id: EXAMPLE_CHAT_ID,
  is_group: false,
  owner_handle: EXAMPLE_LINE,
};

/** As `EventChat`, with the chat's health and without its line, which the payload contains separately. */
export const EventChatHealth = z.object({
  id: z.uuid(),
  is_group: z.boolean(),
  health_status: z.enum(["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"]),
  health_updated_at: z.string(),
});
