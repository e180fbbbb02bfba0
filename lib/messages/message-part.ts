import "server-only";
import { z } from "zod";
import { messageUrl } from "@/lib/attachments/attachment-url";
import { PartReactions } from "@/lib/reactions/reaction";

const STYLES = ["bold", "italic", "strikethrough", "underline"] as const;
const ANIMATIONS = ["big", "small", "shake", "nod", "explode", "ripple", "bloom", "jitter"] as const;
const TEXT_MOST = 10_000;
const URL_MOST = 2048;

const Range = z.tuple([z.int().min(0), z.int().min(1)]);

/** A range of a text, in UTF-16 units, with exactly one style or animation (partner-api.md, TextDecoration). */
export const TextDecoration = z
  .object({
    range: Range,
    style: z.enum(STYLES).optional(),
    animation: z.enum(ANIMATIONS).optional(),
  })
  .refine((decoration) => (decoration.style === undefined) !== (decoration.animation === undefined), {
    message: "give exactly one of style and animation",
  })
  .meta({ id: "TextDecoration" });

export type TextDecoration = z.infer<typeof TextDecoration>;

const notYet = (what: string) =>
  z.undefined({ error: `${what} are not supported by this version` }).optional();

export const TextPart = z
  .object({
    type: z.literal("text"),
    value: z.string().min(1).max(TEXT_MOST),
    text_decorations: z.array(TextDecoration).max(1000).optional(),
    inline_stickers: notYet("inline stickers"),
    mention: notYet("mentions"),
    mention_range: notYet("mentions"),
  })
  .superRefine((part, issues) => {
    const wrong = wrongDecoration(part.value, part.text_decorations ?? []);
    if (wrong !== null) issues.addIssue({ code: "custom", path: ["text_decorations"], message: wrong });
  })
  .meta({ id: "TextPart" });

/** A file, by a public address or as an attachment (partner-api.md, media). */
export const MediaPart = z
  .object({
    type: z.literal("media"),
    url: z
      .url({ protocol: /^https?$/ })
      .max(URL_MOST)
      .optional(),
    attachment_id: z.uuid().optional(),
    sticker: z.boolean().default(false),
  })
  .refine((part) => (part.url === undefined) !== (part.attachment_id === undefined), {
    message: "give exactly one of url and attachment_id",
  })
  .meta({ id: "MediaPart" });

export type MediaPart = z.infer<typeof MediaPart>;

/** One part of a message to be sent, by its `type` (partner-api.md, Request parts). */
export const RequestPart = z.discriminatedUnion("type", [TextPart, MediaPart]);
export type RequestPart = z.infer<typeof RequestPart>;

/** A file in a message: its addresses are made whenever it is shown. */
const StoredMediaPart = z.object({
  type: z.literal("media"),
  /** null once the attachment was deleted. */
  attachment_id: z.uuid().nullable(),
  partner_id: z.uuid(),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  ephemeral: z.boolean(),
  sticker: z.boolean(),
});
export type StoredMediaPart = z.infer<typeof StoredMediaPart>;

/** A part as the database and the events keep it. */
export const StoredPart = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    value: z.string(),
    /** Delivered in place of `value`, which is all that is ever shown: a text with a one-time code, sealed. */
    sealed: z.string().optional(),
    text_decorations: z.array(TextDecoration).nullable().default(null),
  }),
  StoredMediaPart,
]);
export type StoredPart = z.infer<typeof StoredPart>;

const TextPartResponse = z
  .object({
    type: z.literal("text"),
    value: z.string(),
    text_decorations: z.array(TextDecoration).nullable(),
    inline_stickers: z.null(),
    mentions: z.null(),
    mention: z.null(),
    mention_range: z.null(),
    reactions: PartReactions,
  })
  .meta({ id: "TextPartResponse" });

const MediaPartResponse = z
  .object({
    type: z.literal("media"),
    /** null, as its url, once the attachment was deleted. */
    id: z.uuid().nullable(),
    filename: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    /** Signed for an hour. */
    url: z.url().nullable(),
    reactions: PartReactions,
  })
  .meta({ id: "MediaPartResponse" });

/** One part of a message in an answer (partner-api.md, Response parts). */
export const ResponsePart = z.discriminatedUnion("type", [TextPartResponse, MediaPartResponse]);
export type ResponsePart = z.infer<typeof ResponsePart>;

/** A part as it is kept; `media` = the stored file of a media part. */
export function toStoredPart(part: RequestPart, media?: StoredMediaPart): StoredPart {
  if (part.type === "text") {
    return { type: part.type, value: part.value, text_decorations: part.text_decorations ?? null };
  }
  if (media === undefined) throw new Error("a media part without its file");
  return media;
}

export function toResponsePart(part: StoredPart): ResponsePart {
  return part.type === "media" ? toMediaResponse(part) : toTextResponse(part);
}

function toMediaResponse(part: StoredMediaPart): ResponsePart {
  const { attachment_id, partner_id, filename, mime_type, size_bytes, ephemeral } = part;
  const file = { partnerId: partner_id, filename, isEphemeral: ephemeral };
  const url = attachment_id === null ? null : messageUrl({ ...file, attachmentId: attachment_id });
  return { type: part.type, id: attachment_id, filename, mime_type, size_bytes, url, reactions: null };
}

function toTextResponse(part: Extract<StoredPart, { type: "text" }>): ResponsePart {
  return {
    type: part.type,
    value: part.value,
    text_decorations: part.text_decorations,
    inline_stickers: null,
    mentions: null,
    mention: null,
    mention_range: null,
    reactions: null,
  };
}

/**
 * What is wrong with a text's decorations, or null: ranges lie within the text and are not empty; styles may overlap
 * each other, an animation overlaps nothing (partner-api.md, TextDecoration).
 */
export function wrongDecoration(text: string, decorations: readonly TextDecoration[]): string | null {
  const outside = decorations.find(({ range: [start, end] }) => start >= end || end > text.length);
  if (outside !== undefined)
    return `range [${outside.range}] is not within the text's ${text.length} UTF-16 units`;

  const sorted = [...decorations].sort((left, right) => left.range[0] - right.range[0]);
  let animationEnd = 0;
  let anyEnd = 0;
  for (const { range, animation } of sorted) {
    const [start, end] = range;
    if (start < animationEnd || (animation !== undefined && start < anyEnd)) {
      return `the animation at [${range}] overlaps another decoration`;
    }
    if (animation !== undefined) animationEnd = Math.max(animationEnd, end);
    anyEnd = Math.max(anyEnd, end);
  }
  return null;
}
