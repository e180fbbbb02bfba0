import "server-only";
import { z } from "zod";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { downloadUrl, messageUrl } from "@/lib/attachments/attachment-url";

/** A file in a message. Its URLs are created each time it is shown. */
export const StoredFile = z.object({
  /** null after the attachment was deleted. */
  attachment_id: z.uuid().nullable(),
  partner_id: z.uuid(),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  ephemeral: z.boolean(),
  /** The bytes of a received file are late, or will never come. */
  status: z.enum(["pending", "failed"]).optional(),
});

export type StoredFile = z.infer<typeof StoredFile>;

/** A file in responses. */
export const ShownFile = z.object({
  id: z.uuid().nullable().describe("ID of the attachment; `null` once the attachment is deleted."),
  filename: z.string().describe("File name with extension."),
  mime_type: z.string().describe("MIME type of the file."),
  size_bytes: z.int().describe("Size of the file in bytes."),
  url: z
    .url()
    .nullable()
    .describe(
      "URL of the file; `null` once the file is deleted, and for a received file while `status` is set. On the persistent tier, valid for 1 hour in API responses and permanent in webhooks. On the ephemeral tier, valid for 15 minutes.",
    ),
  status: z
    .enum(["pending", "failed"])
    .optional()
    .describe(
      "Set on a received file whose bytes are not there: `pending` while Trunkline is fetching them, `failed` when they can't be had. Absent otherwise.",
    ),
});

export function toStoredFile(file: AttachmentRow): StoredFile {
  return {
    attachment_id: file.id,
    partner_id: file.partner_id,
    filename: file.filename,
    mime_type: file.content_type,
    size_bytes: Number(file.size_bytes),
    ephemeral: file.tier === "ephemeral",
    ...(file.status !== "complete" && { status: file.status }),
  };
}

/**
 * The audience of a file's URL. Integrators store the URLs of webhooks, so there a persistent file has its permanent
 * URL.
 */
export type UrlAudience = "answer" | "webhook";

export function toShownFile(file: StoredFile, shownIn: UrlAudience): z.infer<typeof ShownFile> {
  const { attachment_id, filename, mime_type, size_bytes, status } = file;
  const shown = { id: attachment_id, filename, mime_type, size_bytes, url: urlOf(file, shownIn) };
  return status === undefined ? shown : { ...shown, status };
}

/** Returns the current URL of a stored file; null after it was deleted, and while its bytes are not there. */
export function urlOf(
  { attachment_id, partner_id, filename, ephemeral, status }: StoredFile,
  shownIn: UrlAudience,
): string | null {
  if (attachment_id === null || status !== undefined) return null;
  const address = { partnerId: partner_id, attachmentId: attachment_id, filename, isEphemeral: ephemeral };
  return shownIn === "webhook" ? downloadUrl(address) : messageUrl(address);
}
