import "server-only";
import { z } from "zod";
import { OneEmoji } from "@/lib/messaging/reactions/one-emoji";
import { ReactionType } from "@/lib/messaging/reactions/reaction";
import { Placement } from "@/lib/messaging/reactions/sticker-placement";
import type { ErrorName } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_PARTS = 100;
const MAX_URL = 2048;

type Issue = { path: string; message: string; error?: ErrorName } | null;

/** The body of POST …/reactions (docs/contract.md, section 8.2). */
export const ReactionBody = z
  .object({
    operation: z.enum(["add", "remove"]).describe("`add` or `remove`."),
    type: ReactionType,
    custom_emoji: OneEmoji.optional().describe("The emoji. Required for `custom`."),
    part_index: z
      .int()
      .min(0)
      .max(MAX_PARTS - 1)
      .default(0)
      .describe("Index of the part to react to, starting at 0. Defaults to 0."),
    attachment_id: z.uuid().optional().describe("For a sticker: ID of an uploaded image."),
    url: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(MAX_URL))
      .optional()
      .describe("For a sticker: the `download_url` of an uploaded image."),
    emoji: OneEmoji.optional().describe("For a sticker: one emoji."),
    placement: Placement.optional().describe("For a sticker: its placement on the message."),
  })
  .superRefine((body, issues) => {
    const issue = body.type === "sticker" ? wrongSticker(body) : wrongReaction(body);
    if (issue === null) return;
    const { path, message, error = "parameter_invalid" } = issue;
    issues.addIssue({ code: "custom", path: [path], message, params: { error } });
  })
  .meta({
    id: "ReactionRequest",
    description:
      "A reaction to add or remove. A sticker takes exactly one of `attachment_id`, `url` and `emoji`.",
    examples: [{ operation: "add", type: "love", part_index: 0 }],
  });

export type ReactionBody = z.output<typeof ReactionBody>;

interface Given {
  operation: "add" | "remove";
  type: z.infer<typeof ReactionType>;
  custom_emoji?: string | undefined;
  attachment_id?: string | undefined;
  url?: string | undefined;
  emoji?: string | undefined;
}

function wrongSticker({ operation, attachment_id, url, emoji }: Given): Issue {
  if (operation === "remove") {
    return { path: "operation", message: "a sticker can't be removed: move it instead" };
  }
  const given = [attachment_id, url, emoji].filter((source) => source !== undefined).length;
  const message = "a sticker requires exactly one of attachment_id, url and emoji";
  if (given === 0) return { path: "attachment_id", message, error: "field_missing" };
  return given > 1 ? { path: "attachment_id", message } : null;
}

function wrongReaction({ type, operation, custom_emoji }: Given): Issue {
  if (type !== "custom" || operation === "remove" || custom_emoji !== undefined) return null;
  return { path: "custom_emoji", message: "type custom requires custom_emoji", error: "field_missing" };
}
