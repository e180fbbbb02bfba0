import "server-only";
import { z } from "zod";
import { ShownFile, StoredFile, toShownFile } from "@/lib/messages/stored-file";

const URL_MOST = 2048;

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

export const StoredMediaPart = StoredFile.extend({ type: z.literal("media"), sticker: z.boolean() });

export type StoredMediaPart = z.infer<typeof StoredMediaPart>;

export const MediaPartResponse = ShownFile.extend({ type: z.literal("media") });

export function toMediaResponse(part: StoredMediaPart): z.infer<typeof MediaPartResponse> {
  return { type: part.type, ...toShownFile(part) };
}
