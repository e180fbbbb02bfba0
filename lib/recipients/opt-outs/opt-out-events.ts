import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_CHAT_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { plainPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

const OptOutChange = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    handle: z.string().describe("Phone number or email address of the recipient."),
    changed_at: EventTime.describe("When the opt-out changed."),
  })
  .meta({ id: "MessageOptOutEvent" });

/**
 * `data` of message.opt_out and message.opt_in, which existed in one short-lived version and are never sent
 * (docs/contract.md, section 12.4).
 */
const optOutPayload = plainPayload(OptOutChange, {
  chat_id: EXAMPLE_CHAT_ID,
  handle: EXAMPLE_CONTACT.handle,
  changed_at: EXAMPLE_TIME,
});

export const OPT_OUT_EVENTS = defineEvents({
  "message.opt_out": optOutPayload,
  "message.opt_in": optOutPayload,
});
