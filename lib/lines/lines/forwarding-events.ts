import "server-only";
import { z } from "zod";
import { accountPayload, changePayload } from "@/lib/events/catalog/account-payload";
import { defineEvents } from "@/lib/events/catalog/define-events";

/** `data` of phone_number.forwarding_updated; null = not forwarded (docs/contract.md, section 12.6). */
const forwardingPayload = accountPayload({
  objects: z.object({
    phone_number: z.string().describe("The line, in E.164 format."),
    change: changePayload(z.string().nullable()).describe(
      "Change of the forwarding number; `null` when calls are not forwarded.",
    ),
  }),
  sentence: ({ phone_number, change }, by) =>
    change.to === null
      ? `Forwarding of ${phone_number} was turned off ${by}.`
      : `Forwarding of ${phone_number} was set to ${change.to} ${by}.`,
  example: { phone_number: "+12025550100", change: { from: null, to: "+12025550199" } },
});

export const FORWARDING_EVENTS = defineEvents({
  "phone_number.forwarding_updated": forwardingPayload,
});
