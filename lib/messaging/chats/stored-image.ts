import "server-only";
import { z } from "zod";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import { deliverFile } from "@/lib/attachments/conversions/deliver-file";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { rehostImage } from "@/lib/attachments/media/rehost-image";
import { discardFiles } from "@/lib/attachments/store/store-file";
import { EventMedia } from "@/lib/events/catalog/event-media";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_URL = 2048;

/** The URL from which a chat's image is downloaded once. */
export const ImageUrl = z
  .url({ protocol: /^https?$/ })
  .check(maxUnits(MAX_URL))
  .describe("URL of an image: JPEG, PNG, HEIF or WebP, up to 10 MB.");

/** A stored image of a chat: its group icon, or the photo of its background. */
export const StoredImage = EventMedia.extend({ mime_type: z.string(), size_bytes: z.int() });

export type StoredImage = z.infer<typeof StoredImage>;

/**
 * Downloads an image, if there is a URL, and runs `accept` with its file. The file is discarded when `accept` fails.
 * Errors: as `rehostImage`, and those of `accept`.
 */
export async function withImage<Result>(
  ctx: Context,
  url: string | undefined,
  accept: (file: NewFile | null) => Promise<Result>,
): Promise<Result> {
  if (url === undefined) return accept(null);
  const file = await rehostImage(ctx.account.id, new URL(url));
  try {
    return await accept(file);
  } catch (error) {
    await discardFiles(ctx.account.id, [file]);
    throw error;
  }
}

/** Stores the row of a chat's image, an attachment that does not expire. */
export async function insertChatImage(
  tx: Sql,
  { accountId, lineId, at }: { accountId: string; lineId: string; at: Date },
  file: NewFile,
): Promise<StoredImage> {
  const rows = await insertAttachments(tx, {
    accountId,
    lineId,
    source: "image",
    status: "complete",
    at,
    files: [file],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("an image was stored without a row");
  return {
    partner_id: row.partner_id,
    attachment_id: row.id,
    filename: row.filename,
    mime_type: row.content_type,
    size_bytes: Number(row.size_bytes),
  };
}

/** Converts an image for the transport; null when it was deleted. */
export async function toOutImage(accountId: string, image: StoredImage): Promise<OutMedia | null> {
  const { attachment_id: attachmentId, filename, mime_type: contentType, size_bytes: sizeBytes } = image;
  const file = await deliverFile({ accountId, attachmentId, filename, contentType, sizeBytes });
  return (
    file && { type: "media", attachmentId, mimeType: file.contentType, sticker: false, ...delivered(file) }
  );
}

function delivered({ filename, sizeBytes, open }: Pick<OutMedia, "filename" | "sizeBytes" | "open">) {
  return { filename, sizeBytes, open };
}
