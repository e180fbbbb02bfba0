import "server-only";
import { z } from "zod";
import { attachmentIdOf } from "@/lib/attachments/attachment-url";
import { checkOneSource } from "@/lib/messaging/content/one-source";
import { ShownFile, StoredFile, toShownFile, type UrlAudience } from "@/lib/messaging/content/stored-file";
import { findDecorationError, TextDecoration } from "@/lib/messaging/content/text-decoration";
import { TextRange, validateDisjointRanges } from "@/lib/messaging/content/text-range";
import { isOwnUrl } from "@/lib/platform/env";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle } from "@/lib/platform/text/phone-handle";

const MAX_TEXT = 10_000;
const MAX_URL = 2048;
const MAX_RANGES = 1000;

/** A sticker in place of some of a text's characters (docs/contract.md, section 6.2). */
const InlineSticker = z
  .object({
    range: TextRange,
    attachment_id: z.uuid().optional().describe("ID of an uploaded attachment."),
    url: z
      .url()
      .check(maxUnits(MAX_URL))
      .refine(isStored, "must be the download_url of one of your attachments")
      .optional()
      .describe("The `download_url` of an upload of your account."),
  })
  .superRefine(checkOneSource)
  .meta({
    id: "InlineSticker",
    description:
      "A sticker in place of a range of text. Over SMS and RCS, the text is sent instead. Set exactly one of `attachment_id` and `url`.",
    examples: [{ range: [0, 2], attachment_id: "019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5" }],
  });

/** A mention of a participant in a text; without a range, the whole text is the mention. */
const Mention = z
  .object({
    handle: Handle,
    range: TextRange.optional().describe(
      "Range of the text that shows the mention. Defaults to the whole text.",
    ),
  })
  .meta({
    id: "Mention",
    description: "A mention of a participant. Groups only: in a direct chat it fails with 2023.",
    examples: [{ handle: "+12025550123", range: [0, 4] }],
  });

/** A text with decorations, stickers and mentions (docs/contract.md, section 6.2). */
export const TextPart = z
  .object({
    type: z.literal("text").describe("A text part."),
    value: z.string().min(1).check(maxUnits(MAX_TEXT)).describe("The text, 1 to 10000 characters."),
    text_decorations: z
      .array(TextDecoration)
      .max(MAX_RANGES)
      .optional()
      .describe("Formatting of ranges of the text. iMessage only."),
    inline_stickers: z
      .array(InlineSticker)
      .min(1)
      .max(MAX_RANGES)
      .optional()
      .describe("Stickers in place of ranges of the text."),
    mentions: z
      .array(Mention)
      .min(1)
      .max(MAX_RANGES)
      .optional()
      .describe("Mentions of participants. Groups only."),
    mention: Handle.optional().describe("One mention, as a short form of `mentions`."),
    mention_range: TextRange.optional().describe("Range of `mention`. Defaults to the whole text."),
  })
  .superRefine((part, issues) => {
    for (const [path, message] of findFieldErrors(part)) {
      if (message !== null) issues.addIssue({ code: "custom", path: [path], message });
    }
  })
  .meta({
    id: "TextPart",
    description: "Text, sent as is. Markdown is not interpreted.",
    examples: [{ type: "text", value: "Your table is ready." }],
  });

type TextPart = z.infer<typeof TextPart>;

/** A mentioned participant, by handle, and the range of the mention. */
export const StoredMention = z.object({
  handle: z.string().describe("Phone number or email address of the participant."),
  is_me: z.boolean().describe("`true` if your own line is mentioned."),
  range: TextRange,
});

/** A text as stored in the database and in events. */
export const StoredTextPart = z.object({
  type: z.literal("text"),
  value: z.string(),
  /** A sealed text, such as a one-time code, that is delivered in place of `value`. Everything else shows `value`. */
  sealed: z.string().optional(),
  text_decorations: z.array(TextDecoration).nullable().default(null),
  inline_stickers: z
    .array(StoredFile.extend({ range: TextRange }))
    .nullable()
    .default(null),
  mentions: z.array(StoredMention).nullable().default(null),
});

export type StoredTextPart = z.infer<typeof StoredTextPart>;

export const TextPartResponse = z.object({
  type: z.literal("text").describe("A text part."),
  value: z.string().describe("The text."),
  text_decorations: z
    .array(TextDecoration)
    .nullable()
    .describe("Formatting of ranges of the text; `null` without any."),
  inline_stickers: z
    .array(ShownFile.extend({ range: TextRange }))
    .nullable()
    .describe("Stickers in place of ranges of the text, in order of appearance; `null` without any."),
  mentions: z
    .array(StoredMention)
    .nullable()
    .describe("Mentions of participants; `null` without any. Only iMessage senders produce mentions."),
  mention: z.string().nullable().describe("Deprecated. Handle of the first mention."),
  mention_range: TextRange.nullable().describe("Deprecated. Range of the first mention."),
});

/** The mentions of an outbound text, from either of their two formats. */
export function mentionsOf(part: TextPart): z.infer<typeof StoredMention>[] {
  const { value, mention, mention_range, mentions = [] } = part;
  const given = mention === undefined ? mentions : [{ handle: mention, range: mention_range }];
  return given.map(({ handle, range }) => ({ handle, is_me: false, range: range ?? [0, value.length] }));
}

/** Converts a text for storage; `stickers` = the files of its inline stickers, in order. */
export function toStoredText(part: TextPart, stickers: readonly StoredFile[] = []): StoredTextPart {
  const mentions = mentionsOf(part);
  const placed = stickers.flatMap((file, index) => {
    const range = part.inline_stickers?.[index]?.range;
    return range === undefined ? [] : [{ ...file, range }];
  });
  return {
    type: part.type,
    value: part.value,
    text_decorations: part.text_decorations ?? null,
    inline_stickers:
      placed.length === 0 ? null : placed.sort((left, right) => left.range[0] - right.range[0]),
    mentions: mentions.length === 0 ? null : mentions,
  };
}

export function toTextResponse(part: StoredTextPart, shownIn: UrlAudience): z.infer<typeof TextPartResponse> {
  const { type, value, text_decorations, mentions, inline_stickers } = part;
  const [first] = mentions ?? [];
  return {
    type,
    value,
    text_decorations,
    inline_stickers:
      inline_stickers?.map((file) => ({ range: file.range, ...toShownFile(file, shownIn) })) ?? null,
    mentions,
    mention: first?.handle ?? null,
    mention_range: first?.range ?? null,
  };
}

function findFieldErrors(part: TextPart): [keyof TextPart, string | null][] {
  return [
    ["text_decorations", findDecorationError(part.value, part.text_decorations ?? [])],
    ["inline_stickers", validateDisjointRanges(part.value, part.inline_stickers ?? [])],
    ["mention", wrongMention(part)],
    ["mentions", validateDisjointRanges(part.value, mentionsOf(part))],
  ];
}

function wrongMention({ mention, mention_range, mentions }: TextPart): string | null {
  if (mention !== undefined && mentions !== undefined) return "set mention or mentions, not both";
  return mention_range !== undefined && mention === undefined ? "mention_range requires mention" : null;
}

function isStored(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isOwnUrl(url) && attachmentIdOf(url.pathname) !== null;
}
