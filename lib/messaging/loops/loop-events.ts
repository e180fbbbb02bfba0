import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { plainPayload } from "@/lib/events/catalog/payload";
import { EventChat, EXAMPLE_EVENT_CHAT } from "@/lib/messaging/chats/event-chat";

const chat = EventChat.describe("The chat.");

const DetectedLoop = z
  .object({
    chat,
    loop: z
      .enum(["fast", "same"])
      .describe(
        "`fast`: the contact's messages came faster than a person writes. `same`: both sides repeated the same texts.",
      ),
    exchanges: z.int().describe("How many exchanges in a row the chat had."),
    held_at: z.iso
      .datetime()
      .describe("Since when your sends to the chat fail with 2015, until `chat.resumed`."),
  })
  .meta({ id: "ChatLoopDetectedEvent" });

const ResumedChat = z
  .object({
    chat,
    resumed_at: z.iso.datetime().describe("From when your sends to the chat are accepted again."),
  })
  .meta({ id: "ChatResumedEvent" });

/** `data` of the events of a loop, which are extensions, the same in every version (docs/contract.md, section 12.5). */
export const LOOP_EVENTS = defineEvents({
  "chat.loop_detected": plainPayload(DetectedLoop, {
    chat: EXAMPLE_EVENT_CHAT,
    loop: "fast",
    exchanges: 20,
    held_at: EXAMPLE_TIME,
  }),
  "chat.resumed": plainPayload(ResumedChat, { chat: EXAMPLE_EVENT_CHAT, resumed_at: EXAMPLE_TIME }),
});
