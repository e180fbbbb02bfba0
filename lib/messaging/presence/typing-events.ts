import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EXAMPLE_CHAT_ID } from "@/lib/events/catalog/example-data";
import { versionedPayload } from "@/lib/events/catalog/payload";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

/** `actor_handle` = the participant who is typing; null in older events. */
const TypingData = z.object({ chat_id: z.uuid(), actor_handle: ChatHandle.nullable().default(null) });

const Typing = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    actor_handle: ChatHandle.nullable().describe(
      "Participant who started or stopped typing; `null` when unknown.",
    ),
  })
  .meta({ id: "ChatTypingEvent" });

const Typing20250101 = z
  .object({ chat_id: z.uuid().describe("ID of the chat.") })
  .meta({ id: "ChatTypingEvent20250101" });

/** `data` of chat.typing_indicator.started and stopped (docs/contract.md, section 12.3). */
const typingPayload = versionedPayload(
  TypingData,
  {
    "2025-01-01": { schema: Typing20250101, render: ({ chat_id }) => ({ chat_id }) },
    "2026-02-03": { schema: Typing, render: (data) => data },
  },
  { chat_id: EXAMPLE_CHAT_ID, actor_handle: EXAMPLE_CONTACT },
);

export const TYPING_EVENTS = defineEvents({
  "chat.typing_indicator.started": typingPayload,
  "chat.typing_indicator.stopped": typingPayload,
});
