import "server-only";
import { z } from "zod";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { checkOneSource } from "@/lib/messaging/content/one-source";
import {
  ShownFile,
  StoredFile,
  toShownFile,
  toStoredFile,
  type UrlAudience,
} from "@/lib/messaging/content/stored-file";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_URL = 2048;

/** A file, by public URL or as an attachment (docs/contract.md, section 6.3). */
export const MediaPart = z
  .object({
    type: z.literal("media").describe("A file."),
    url: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(MAX_URL))
      .optional()
      .describe(
        "Public HTTPS URL of the file, up to 10 MB. Trunkline downloads the file before it accepts the send.",
      ),
    attachment_id: z.uuid().optional().describe("ID of an uploaded attachment, up to 100 MB."),
    sticker: z
      .boolean()
      .default(false)
      .describe(
        "`true` sends the image as a sticker over iMessage, and as a photo over SMS and RCS. Defaults to `false`.",
      ),
  })
  .superRefine(checkOneSource)
  .meta({
    id: "MediaPart",
    description:
      "A file. Set exactly one of `url` and `attachment_id`. At most 40 parts of a message can use `url`.",
    examples: [{ type: "media", url: "https://example.com/menu.png" }],
  });

export const StoredMediaPart = StoredFile.extend({
  type: z.literal("media"),
  sticker: z.boolean(),
  /** The duration of a voice memo; null when its file does not state it. */
  duration_ms: z.int().nullable().optional(),
});

export type StoredMediaPart = z.infer<typeof StoredMediaPart>;

export const MediaPartResponse = ShownFile.extend({ type: z.literal("media").describe("A file.") });

export function toMediaResponse(
  part: StoredMediaPart,
  shownIn: UrlAudience,
): z.infer<typeof MediaPartResponse> {
  return { type: part.type, ...toShownFile(part, shownIn) };
}

/** The message part that shows a file. Errors: content_invalid (a sticker that is not an image). */
export function toStoredMedia(file: AttachmentRow, sticker: boolean): StoredMediaPart {
  if (sticker && !file.content_type.startsWith("image/")) {
    fail("content_invalid", `a sticker must be an image, not ${file.content_type}`);
  }
  return { type: "media", ...toStoredFile(file), sticker };
}
