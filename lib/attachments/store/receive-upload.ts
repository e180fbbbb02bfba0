import "server-only";
import {
  type ByteStream,
  ObjectExists,
  SignatureRefused,
  SizeMismatch,
} from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { type AttachmentRow, objectKey } from "@/lib/attachments/attachment";
import type { RangeReader } from "@/lib/attachments/file-types/detect-zip";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { guardDiskSpace, requireDiskSpace } from "@/lib/attachments/store/require-disk-space";
import { settleUpload } from "@/lib/attachments/store/settle-upload";
import { storeStream } from "@/lib/attachments/store/store-stream";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

/** A PUT to a URL from `createAttachment`. */
export interface Upload {
  accountId: string;
  attachmentId: string;
  query: URLSearchParams;
  headers: Headers;
  body: ByteStream;
}

/**
 * Receives a signed upload. When this returns, the file is stored and the type of its bytes is checked. Errors:
 * access_denied (unsigned header, expired URL), attachment_not_found (deleted), state_conflict (already uploaded),
 * file_too_large, body_invalid (too short), body_too_slow, upload_failed (connection lost), content_type_mismatch.
 */
export async function receiveUpload(upload: Upload): Promise<void> {
  const key = objectKey(upload);
  const allowed = verify(key, upload);
  const attachment = await findAttachment(upload.accountId, upload.attachmentId);
  await storeUpload(attachment, upload.body, allowed);
}

/**
 * Stores and checks the bytes of a pending upload. Errors: attachment_not_found, state_conflict, file_too_large,
 * body_invalid, body_too_slow, upload_failed and content_type_mismatch, as `receiveUpload`.
 */
export async function storeUpload(
  attachment: AttachmentRow,
  body: ByteStream,
  allowed: { contentType: string; sizeBytes: number },
): Promise<void> {
  if (attachment.status !== "pending") alreadyUploaded();
  await requireDiskSpace();
  const key = objectKey({ accountId: attachment.account_id, attachmentId: attachment.id });
  const stored = await store(key, guardDiskSpace(body), allowed);

  const status = await settleUpload(attachment, stored);
  if (status === "gone") fail("attachment_not_found");
  if (status === "failed")
    fail("content_type_mismatch", `the file content is not ${attachment.content_type}`);
}

function verify(key: string, { query, headers }: Upload) {
  try {
    return objectStore().verifyPut({ key, query, headers });
  } catch (error) {
    if (error instanceof SignatureRefused) fail("access_denied", error.message);
    throw error;
  }
}

async function store(
  key: string,
  body: ByteStream,
  { contentType, sizeBytes }: { contentType: string; sizeBytes: number },
): Promise<RangeReader> {
  try {
    return await storeStream(key, body, { contentType, leastBytes: sizeBytes, mostBytes: sizeBytes });
  } catch (error) {
    if (error instanceof ObjectExists) alreadyUploaded();
    if (error instanceof ApiError) throw error;
    if (!(error instanceof SizeMismatch)) {
      log.warn({ err: error }, "an upload was interrupted");
      return fail("upload_failed");
    }
    if (error.reason === "too_large")
      fail("file_too_large", `the file is larger than the declared ${sizeBytes} bytes`);
    return fail("body_invalid", `the file is smaller than the declared ${sizeBytes} bytes`);
  }
}

function alreadyUploaded(): never {
  return fail("state_conflict", "this attachment is already uploaded: create another attachment");
}
