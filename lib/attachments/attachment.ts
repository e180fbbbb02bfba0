import "server-only";
import { z } from "zod";
import { type AttachmentAddress, downloadUrl } from "@/lib/attachments/attachment-url";
import type { RowOf } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";

/** Path parameters of an attachment. */
export const AttachmentParams = z.object({
  attachmentId: z
    .uuid()
    .meta({ description: "ID of the attachment.", examples: ["019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5"] }),
});

export const MAX_DOWNLOAD_BYTES = 10 * 1024 * 1024;
/** Retention of ephemeral files, bytes and rows (docs/contract.md, section 10.4). */
export const EPHEMERAL_HOURS = 24;

const MAX_FILENAME = 255;

/** A file name without folders or characters that disguise its extension. */
export const Filename = z
  .string()
  .min(1)
  .check(maxUnits(MAX_FILENAME))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
  .refine((name) => !/[\u0000-\u001f\u007f/\\\u202a-\u202e\u2066-\u2069]/.test(name), {
    error: "must not contain slashes or control characters",
  })
  .refine((name) => !/^\.+$/.test(name), { error: "must be a file name" })
  .describe("File name with extension, 1 to 255 characters, without slashes or control characters.");

/** An attachment as GET returns it (docs/contract.md, section 10.2). */
export const Attachment = z
  .object({
    id: z.uuid().describe("ID of the attachment."),
    content_type: z
      .string()
      .meta({ examples: ["image/png"] })
      .describe(
        "MIME type of the stored file: one of `SupportedContentType`, or for a received file the type of its bytes.",
      ),
    created_at: z.iso.datetime().describe("When the attachment was created."),
    filename: z.string().describe("File name with extension."),
    size_bytes: z.int().describe("Size of the file in bytes."),
    status: z
      .enum(["pending", "complete", "failed"])
      .describe(
        "Deprecated. `pending` until the bytes are uploaded, then `complete`, or `failed` when the file was rejected or is missing in the store.",
      ),
    download_url: z
      .url()
      .optional()
      .describe(
        "URL of the file. Permanent on the persistent tier; signed for 15 minutes on the ephemeral tier. Absent until the bytes are uploaded.",
      ),
  })
  .meta({
    id: "Attachment",
    description: "A file that was uploaded in advance or received in a message.",
    examples: [
      {
        id: "019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5",
        content_type: "image/png",
        created_at: "2026-03-01T12:00:00.000Z",
        filename: "menu.png",
        size_bytes: 482113,
        status: "complete",
        download_url:
          "https://cdn.example.com/attachments/partners/019ca9c0-0000-7000-8000-5a1f0c9e2b34/019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5/menu.png",
      },
    ],
  });

/** A row of `attachments`, as selected by `ATTACHMENT_COLUMNS`. */
export type AttachmentRow = RowOf<"find-attachment">;

/** The columns of an AttachmentRow, from `t` (attachments) and `a` (accounts). */
export const ATTACHMENT_COLUMNS = `t.id, t.account_id, a.partner_id, t.filename, t.content_type, t.size_bytes,
  t.status, t.tier, t.source, t.created_at`;

export function toAttachment(row: AttachmentRow): z.infer<typeof Attachment> {
  return {
    id: row.id,
    content_type: row.content_type,
    created_at: row.created_at.toISOString(),
    filename: row.filename,
    size_bytes: Number(row.size_bytes),
    status: row.status,
    ...(row.status === "failed" ? {} : { download_url: downloadUrl(addressOf(row)) }),
  };
}

export function addressOf(
  row: Pick<AttachmentRow, "id" | "partner_id" | "filename" | "tier">,
): AttachmentAddress {
  return {
    partnerId: row.partner_id,
    attachmentId: row.id,
    filename: row.filename,
    isEphemeral: row.tier === "ephemeral",
  };
}

/** The key of the file in the object store. */
export function objectKey({ accountId, attachmentId }: { accountId: string; attachmentId: string }): string {
  return `${accountId}/${attachmentId}`;
}

const KEY = /^([0-9a-f-]{36})\/([0-9a-f-]{36})(?:-(?:converted|preview))?$/;

/** The attachment whose file, converted file or preview has this key. null = another object, such as of a shared bucket. */
export function fileOfKey(key: string): { accountId: string; attachmentId: string } | null {
  const [, accountId, attachmentId] = KEY.exec(key) ?? [];
  return accountId === undefined || attachmentId === undefined ? null : { accountId, attachmentId };
}

/** The key of the converted file. */
export function convertedKey(file: { accountId: string; attachmentId: string }): string {
  return `${objectKey(file)}-converted`;
}

/** The key of the file's preview. The object exists once the file has been viewed. */
export function previewKey(file: { accountId: string; attachmentId: string }): string {
  return `${objectKey(file)}-preview`;
}
