import "server-only";
import { type AttachmentRow, MAX_DOWNLOAD_BYTES } from "@/lib/attachments/attachment";
import { attachmentIdOf } from "@/lib/attachments/attachment-url";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { imageSize } from "@/lib/attachments/measurements/image-size";
import { openOwnFile } from "@/lib/attachments/media/open-own-file";
import { readStore } from "@/lib/attachments/store/read-store";
import type { StickerImage } from "@/lib/messaging/reactions/reaction";
import type { Context } from "@/lib/platform/context";
import { isOwnUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Finds the image of a sticker by attachment id or download_url. Errors: attachment_not_found, attachment_not_ready,
 * file_type_invalid, file_too_large, parameter_invalid (the URL is not a file of the account), download_failed.
 */
export async function resolveSticker(
  ctx: Context,
  { attachment_id, url }: { attachment_id?: string | undefined; url?: string | undefined },
): Promise<StickerImage> {
  return toStickerImage(await findAttachment(ctx.account.id, attachment_id ?? idOf(url ?? "")));
}

/** Converts a stored file to the image of a sticker. Errors: as `resolveSticker`. */
export async function toStickerImage(file: AttachmentRow): Promise<StickerImage> {
  const { account_id, partner_id, id, filename, content_type } = file;
  if (!content_type.startsWith("image/")) {
    fail("file_type_invalid", `a sticker must be an image, not ${content_type}`);
  }
  const sizeBytes = Number(file.size_bytes);
  if (sizeBytes > MAX_DOWNLOAD_BYTES) fail("file_too_large", "a sticker must be at most 10 MB");
  const size = await imageSize(await readFile(account_id, id), content_type);
  if (size === null) fail("file_type_invalid", "a sticker must be a readable image");
  return {
    partner_id,
    attachment_id: id,
    filename,
    mime_type: content_type,
    size_bytes: sizeBytes,
    ephemeral: file.tier === "ephemeral",
    ...size,
  };
}

function readFile(accountId: string, attachmentId: string): Promise<Buffer> {
  return readStore(accountId, async () => {
    const { body } = await openOwnFile(accountId, attachmentId);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  });
}

function idOf(url: string): string {
  const target = new URL(url);
  const id = isOwnUrl(target) ? attachmentIdOf(target.pathname) : null;
  return id ?? fail("parameter_invalid", "url must be the download_url of one of your attachments");
}
