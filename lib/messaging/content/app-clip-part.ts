import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_URL = 2048;

/** A checkout link, or a URL of a registered app clip; iMessage only (docs/contract.md, section 6.4). */
export const AppClipPart = z
  .object({
    type: z.literal("app_clip").describe("An app clip card."),
    value: z
      .string()
      .min(1)
      .check(maxUnits(MAX_URL))
      .describe(
        "The `checkout_url` of a payment request, or a URL of an app clip registered in the dashboard. Other URLs fail with 1009.",
      ),
  })
  .meta({
    id: "AppClipPart",
    description: "An app clip card. Must be the only part of its message. iMessage only; never downgrades.",
    examples: [
      { type: "app_clip", value: "https://pay.example.com/pay/harbor-kitchen?session=tlpay_example" },
    ],
  });

/** An app clip with the content of its card, composed at send time (docs/contract.md, section 6.4). */
export const StoredAppClipPart = z.object({
  type: z.literal("app_clip").describe("An app clip card."),
  value: z.string().describe("URL that the card opens."),
  title: z
    .string()
    .optional()
    .describe("Title of the card, from the payment request or the registered app clip."),
  description: z.string().optional().describe("Description on the card."),
  image_url: z.string().optional().describe("Image of the card."),
});

export type StoredAppClipPart = z.infer<typeof StoredAppClipPart>;
