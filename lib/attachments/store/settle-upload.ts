import "server-only";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { type AttachmentRow, objectKey } from "@/lib/attachments/attachment";
import { fitsType } from "@/lib/attachments/file-types/content-types";
import { detectType } from "@/lib/attachments/file-types/detect-type";
import type { RangeReader } from "@/lib/attachments/file-types/detect-zip";
import { readStore } from "@/lib/attachments/store/read-store";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { AttachmentStatus } from "@/lib/platform/prisma/enums";

/**
 * Determines the status of a pending upload: `pending` while its bytes are missing, `complete` when they match the
 * announced size and type, otherwise `failed`, and the bytes are deleted. Returns `gone` when the attachment has been
 * deleted. Called when an upload ends and whenever a pending attachment is read, because a store that receives uploads
 * directly does not notify Trunkline. `uploaded` is the file if this process has just stored it. Errors:
 * download_failed.
 */
export async function settleUpload(
  attachment: AttachmentRow,
  uploaded: RangeReader | null = null,
): Promise<AttachmentStatus | "gone"> {
  // The bytes of a received file come from its vendor, and the job that fetches them sets the status.
  if (attachment.status !== "pending" || attachment.source === "received") return attachment.status;
  const store = objectStore();
  const key = objectKey({ accountId: attachment.account_id, attachmentId: attachment.id });
  const found = await readStore(attachment.account_id, async () => {
    const stored = uploaded ?? (await openStored(store, key));
    return stored && { fault: await faultOf(attachment, stored) };
  });
  if (found === null) return "pending";

  const { fault } = found;
  const { status, wasSettled } = await storeStatus(attachment, fault);
  if (status !== "complete") {
    await store.delete(key);
    return status;
  }
  return wasSettled && uploaded !== null ? settleReplaced(attachment, key) : status;
}

const SETTLE_REPLACED = statement(
  "settle-replaced",
  `update attachments set status = 'failed', fault = :fault where account_id = :accountId and id = :attachmentId`,
);

/**
 * Checks a complete file again. Without conditional writes, an upload that ends in the same moment as another one can store
 * its bytes after the other was checked.
 */
async function settleReplaced(attachment: AttachmentRow, key: string): Promise<AttachmentStatus> {
  const store = objectStore();
  const stored = await openStored(store, key);
  const fault = stored && (await faultOf(attachment, stored));
  if (fault === null) return "complete";
  await sql.run(SETTLE_REPLACED, { accountId: attachment.account_id, attachmentId: attachment.id, fault });
  await store.delete(key);
  return "failed";
}

async function openStored(store: ObjectStore, key: string): Promise<RangeReader | null> {
  const stored = await store.head(key);
  return stored && createRangeReader(store, key, stored.sizeBytes);
}

async function faultOf(
  { size_bytes, content_type }: AttachmentRow,
  stored: RangeReader,
): Promise<string | null> {
  if (stored.sizeBytes !== Number(size_bytes)) {
    return `${stored.sizeBytes} bytes were uploaded, ${size_bytes} were declared`;
  }
  const detected = await detectType(stored);
  if (fitsType(content_type, detected)) return null;
  return `the file content is ${detected ?? "of an unknown type"}, not ${content_type}`;
}

/** Reads small pieces of a stored object. */
export function createRangeReader(store: ObjectStore, key: string, sizeBytes: number): RangeReader {
  return {
    sizeBytes,
    async read(start, length) {
      if (length === 0) return Buffer.alloc(0);
      const found = await store.get(key, { start, end: start + length - 1 });
      const chunks: Uint8Array[] = [];
      for await (const chunk of found?.body ?? []) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

const SETTLE_UPLOAD = statement(
  "settle-upload",
  `with known as (
    select status from attachments where account_id = :accountId and id = :id for update
  )
  update attachments t
  set status = case when known.status = 'pending' then :result::text::attachment_status else known.status end,
    fault = case when known.status = 'pending' then :fault else fault end
  from known where t.account_id = :accountId and t.id = :id
  returning t.status, known.status <> 'pending' as was_settled`,
);

// If two processes settle the upload at the same time, the first result is kept.
async function storeStatus(
  { account_id, id }: AttachmentRow,
  fault: string | null,
): Promise<{ status: AttachmentStatus | "gone"; wasSettled: boolean }> {
  const [row] = await sql.run(SETTLE_UPLOAD, {
    accountId: account_id,
    id,
    result: fault === null ? "complete" : "failed",
    fault,
  });
  return { status: row?.status ?? "gone", wasSettled: row?.was_settled === true };
}
