import "server-only";
import { z } from "zod";
import { objectStore } from "@/lib/adapters/storage/registry";
import { type AttachmentRow, addressOf, Filename, objectKey } from "@/lib/attachments/attachment";
import { downloadUrl } from "@/lib/attachments/attachment-url";
import { currentName, SupportedContentType } from "@/lib/attachments/file-types/content-types";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";
import { insertAttachments } from "@/lib/attachments/insert-attachments";
import { requireDiskSpace } from "@/lib/attachments/store/require-disk-space";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { type ErrorName, fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";

const UPLOAD_SECONDS = 15 * 60;

export const CreateAttachment = contract({
  summary: "Create an attachment",
  description:
    "Creates an attachment and returns a presigned upload URL. Within 15 minutes, send the file's raw bytes in one `PUT` request to `upload_url` with exactly the `required_headers`. Then use `attachment_id` in a media part, a voice memo, an inline sticker or a sticker reaction. Files can be up to 100 MB.",
  tag: "Attachments",
  right: "send_messages",
  body: z
    .object({
      filename: Filename.describe("File name with extension, 1 to 255 characters."),
      content_type: SupportedContentType.describe("MIME type of the file. The uploaded bytes must match it."),
      size_bytes: z
        .int()
        .min(1)
        .refine((size) => size <= MAX_UPLOAD_BYTES, {
          error: "must be at most 100 MB",
          params: { error: "file_too_large" satisfies ErrorName },
        })
        .describe("Exact size of the file in bytes, up to 104857600 (100 MB)."),
    })
    .meta({ examples: [{ filename: "menu.png", content_type: "image/png", size_bytes: 482113 }] }),
  returns: z
    .object({
      attachment_id: z
        .uuid()
        .describe("ID of the attachment. Use it in a media part once the bytes are uploaded."),
      download_url: z.url().describe("URL of the file. Works once the file is uploaded."),
      expires_at: z.iso.datetime().describe("When the upload URL expires, 15 minutes after creation."),
      http_method: z.literal("PUT").describe("HTTP method of the upload. Always `PUT`."),
      required_headers: z
        .record(z.string(), z.string())
        .describe("Headers that the upload request must include, with exactly these values."),
      upload_url: z.url().describe("Presigned URL for the raw bytes, without a JSON or multipart wrapper."),
    })
    .meta({
      examples: [
        {
          attachment_id: "019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5",
          download_url:
            "https://cdn.example.com/attachments/partners/019ca9c0-0000-7000-8000-5a1f0c9e2b34/019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5/menu.png",
          expires_at: "2026-03-01T12:15:00.000Z",
          http_method: "PUT",
          required_headers: { "Content-Type": "image/png", "Content-Length": "482113" },
          upload_url:
            "https://api.example.com/uploads/019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5?signature=example",
        },
      ],
    }),
  status: 200,
  errors: [
    "field_missing",
    "parameter_invalid",
    "file_type_invalid",
    "file_too_large",
    "file_url_failed",
    "state_conflict",
    "service_unavailable",
  ],
});

/**
 * Creates a pending attachment and an upload URL that is valid for 15 minutes (docs/contract.md, section 10.2). Errors:
 * as `CreateAttachment`.
 */
export async function createAttachment(ctx: Context, { body }: Input<typeof CreateAttachment>) {
  await requireDiskSpace();
  const id = newId(ctx.now.getTime(), ctx.account.id, "attachment");
  const file = { id, filename: body.filename, sizeBytes: body.size_bytes };
  const [row] = await insertAttachments(sql, {
    accountId: ctx.account.id,
    lineId: null,
    source: "upload",
    status: "pending",
    at: ctx.now,
    files: [{ ...file, contentType: currentName(body.content_type) }],
  });
  if (row === undefined) throw new Error("an attachment was not stored");
  if (await failsToSign(ctx)) fail("file_url_failed", "the account's simulated file storage is set to fail");
  const signed = await signUpload(row, body.content_type, body.size_bytes);

  return {
    attachment_id: id,
    download_url: downloadUrl(addressOf(row)),
    expires_at: signed.expiresAt.toISOString(),
    http_method: signed.method,
    required_headers: signed.headers,
    upload_url: signed.url,
  };
}

const SIMULATOR_ACCOUNT = statement(
  "simulator-account",
  "select upload_urls_fail from simulator_accounts where account_id = :accountId",
);

// Only a sandbox can enable this failure (/simulator/files).
async function failsToSign({ account }: Context): Promise<boolean> {
  if (account.type !== "sandbox") return false;
  const [row] = await sql.run(SIMULATOR_ACCOUNT, { accountId: account.id });
  return row?.upload_urls_fail === true;
}

// The signature contains the requested type, even a deprecated name, because the client sends that name.
async function signUpload(row: AttachmentRow, contentType: string, sizeBytes: number) {
  const key = objectKey({ accountId: row.account_id, attachmentId: row.id });
  try {
    return await objectStore().signPut(key, { contentType, sizeBytes, ttlSeconds: UPLOAD_SECONDS });
  } catch (error) {
    log.error({ err: error }, "an upload URL could not be signed");
    return fail("file_url_failed");
  }
}
