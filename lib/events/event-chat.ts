import "server-only";
import { z } from "zod";
import { EXAMPLE_CHAT_ID, EXAMPLE_LINE } from "@/lib/events/example-facts";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A chat in the payloads that name it, its line and no more. */
export const EventChat = z
  .object({
    id: z.uuid().describe("ID of the chat."),
    is_group: z.boolean().describe("Whether the chat has more than one recipient."),
    owner_handle: ChatHandle.describe("Your line in the chat."),
  })
  .meta({ id: "EventChat", description: "The chat that an event is about." });

export const EXAMPLE_EVENT_CHAT: z.input<typeof EventChat> = {
  id: EXAMPLE_CHAT_ID,
  is_group: false,
  owner_handle: EXAMPLE_LINE,
};
