import "server-only";
import { z } from "zod";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { messageUrl } from "@/lib/attachments/attachment-url";

/** A file in a message: its addresses are made whenever it is shown. */
export const StoredFile = z.object({
  /** null once the attachment was deleted. */
  attachment_id: z.uuid().nullable(),
  partner_id: z.uuid(),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  ephemeral: z.boolean(),
});

export type StoredFile = z.infer<typeof StoredFile>;

/** A file as answers show it. */
export const ShownFile = z.object({
  /** null, as its url, once the attachment was deleted. */
  id: z.uuid().nullable(),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  /** Signed for an hour. */
  url: z.url().nullable(),
});

export function toStoredFile(file: AttachmentRow): StoredFile {
  return {
    attachment_id: file.id,
    partner_id: file.partner_id,
    filename: file.filename,
    mime_type: file.content_type,
    size_bytes: Number(file.size_bytes),
    ephemeral: file.tier === "ephemeral",
  };
}

export function toShownFile(file: StoredFile): z.infer<typeof ShownFile> {
  const { attachment_id, filename, mime_type, size_bytes } = file;
  return { id: attachment_id, filename, mime_type, size_bytes, url: urlOf(file) };
}

/** The address of a stored file for now; null once it was deleted. */
export function urlOf({ attachment_id, partner_id, filename, ephemeral }: StoredFile): string | null {
  if (attachment_id === null) return null;
  return messageUrl({ partnerId: partner_id, attachmentId: attachment_id, filename, isEphemeral: ephemeral });
}
