import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { convertedKey, objectKey, previewKey } from "@/lib/attachments/attachment";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/**
 * Deletes a file: its bytes, its row, and its references in messages and stickers, together with the writes of
 * `alongside` in the same transaction. The bytes are deleted first, so a failed deletion can be repeated. Returns
 * false when the row was already deleted.
 */
export async function removeAttachment(
  file: { accountId: string; attachmentId: string },
  alongside: (tx: Sql) => Promise<void> = async () => undefined,
): Promise<boolean> {
  await objectStore().delete(objectKey(file));
  await objectStore().delete(convertedKey(file));
  await objectStore().delete(previewKey(file));
  return transaction(async (tx) => {
    if (!(await deleteRow(tx, file))) return false;
    await clearParts(tx, file);
    await emptyStickers(tx, file);
    await alongside(tx);
    return true;
  });
}

const DELETE_ATTACHMENT = statement(
  "delete-attachment",
  "delete from attachments where account_id = :accountId and id = :attachmentId returning id",
);

async function deleteRow(tx: Sql, file: { accountId: string; attachmentId: string }): Promise<boolean> {
  const rows = await tx.run(DELETE_ATTACHMENT, {
    accountId: file.accountId,
    attachmentId: file.attachmentId,
  });
  return rows.length > 0;
}

const EMPTY_MEDIA_PARTS = statement(
  "empty-media-parts",
  `with used as (
    delete from attachment_uses where account_id = :accountId and attachment_id = :attachmentId returning message_id
  )
  update messages m
  set parts = replace(m.parts::text, '"attachment_id": "' || :attachmentId::text || '"', '"attachment_id": null')::jsonb
  from used where m.account_id = :accountId and m.id = used.message_id and m.deleted_at is null`,
);

// The parts keep filename, mime_type and size_bytes (docs/contract.md, section 6.7). The file can be referenced
// anywhere in a part. The text pattern of the jsonb matches only a key with its value, because quotes within values are
// escaped.
async function clearParts(tx: Sql, file: { accountId: string; attachmentId: string }): Promise<void> {
  await tx.run(EMPTY_MEDIA_PARTS, { accountId: file.accountId, attachmentId: file.attachmentId });
}

const EMPTY_STICKER_IMAGES = statement(
  "empty-sticker-images",
  `update reactions set image = null
  where image is not null and image @> jsonb_build_object('attachment_id', :attachmentId::text) and account_id = :accountId`,
);

// A sticker whose image was deleted remains, without an image.
async function emptyStickers(tx: Sql, file: { accountId: string; attachmentId: string }): Promise<void> {
  await tx.run(EMPTY_STICKER_IMAGES, { accountId: file.accountId, attachmentId: file.attachmentId });
}
