import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_URL = 2048;

/** A URL that is delivered as a preview card (docs/contract.md, section 6.4). */
export const LinkPart = z
  .object({
    type: z.literal("link").describe("A link with a preview card."),
    value: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(MAX_URL))
      .describe("The URL, up to 2048 characters."),
  })
  .meta({
    id: "LinkPart",
    description:
      "A URL delivered as a rich preview card. Must be the only part of its message. Use a text part to send a URL without a card.",
    examples: [{ type: "link", value: "https://example.com/menu" }],
  });

export const StoredLinkPart = z.object({
  type: z.literal("link").describe("A link with a preview card."),
  value: z.string().describe("The URL."),
});

export type StoredLinkPart = z.infer<typeof StoredLinkPart>;
