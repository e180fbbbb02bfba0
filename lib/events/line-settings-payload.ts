import "server-only";
import { z } from "zod";
import { accountPayload, changeOf } from "@/lib/events/account-payload";

/** `data` of phone_number.forwarding_updated; null = not forwarded (contract.md 4.3). */
export const forwardingPayload = accountPayload({
  objects: z.object({
    phone_number: z.string().describe("The line, in E.164 format."),
    change: changeOf(z.string().nullable()).describe(
      "Change of the forwarding number; `null` when calls are not forwarded.",
    ),
  }),
  sentence: ({ phone_number, change }, by) =>
    change.to === null
      ? `Forwarding of ${phone_number} was turned off ${by}.`
      : `Forwarding of ${phone_number} was set to ${change.to} ${by}.`,
  example: { phone_number: "+12025550100", change: { from: null, to: "+12025550199" } },
});

/** `data` of zero_day_retention.updated. */
export const retentionPayload = accountPayload({
  objects: z.object({ change: changeOf(z.boolean()).describe("Whether zero-day retention is on.") }),
  sentence: ({ change }, by) =>
    change.from === change.to
      ? `The period of zero-day retention was changed ${by}.`
      : `Zero-day retention was turned ${change.to ? "on" : "off"} ${by}.`,
  example: { change: { from: false, to: true } },
});
