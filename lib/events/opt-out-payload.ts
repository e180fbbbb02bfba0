import "server-only";
import { z } from "zod";
import { EXAMPLE_CHAT_ID, EXAMPLE_CONTACT, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { plainPayload } from "@/lib/events/payload";

const OptOutChange = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    handle: z.string().describe("Phone number or email address of the recipient."),
    changed_at: FactTime.describe("When the opt-out changed."),
  })
  .meta({ id: "MessageOptOutEvent" });

/** `data` of message.opt_out and message.opt_in: names of one short-lived version, never sent (contract.md 4.2). */
export const optOutPayload = plainPayload(OptOutChange, {
  chat_id: EXAMPLE_CHAT_ID,
  handle: EXAMPLE_CONTACT.handle,
  changed_at: EXAMPLE_TIME,
});
