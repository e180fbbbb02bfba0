import "server-only";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import { deliverFile } from "@/lib/attachments/conversions/deliver-file";
import { type StoredFile, urlOf } from "@/lib/messaging/content/stored-file";

/** A file of a message was deleted before the message was sent. */
export class FileDeletedError extends Error {
  constructor(readonly filename: string) {
    super(`${filename} is gone`);
  }
}

/** Converts a file for delivery. Throws FileDeletedError. */
export async function toOutMedia(accountId: string, stored: StoredFile, sticker: boolean): Promise<OutMedia> {
  const { attachment_id, filename, mime_type, size_bytes } = stored;
  const file =
    attachment_id === null
      ? null
      : await deliverFile({
          accountId,
          attachmentId: attachment_id,
          filename,
          contentType: mime_type,
          sizeBytes: size_bytes,
        });
  if (file === null || attachment_id === null) throw new FileDeletedError(filename);
  return {
    type: "media",
    attachmentId: attachment_id,
    filename: file.filename,
    mimeType: file.contentType,
    sizeBytes: file.sizeBytes,
    sticker,
    open: file.open,
    url: () => urlOf(stored, "answer"),
  };
}
