import "server-only";
import type { ByteRange, ByteStream } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { ATTACHMENT_COLUMNS, type AttachmentRow, objectKey } from "@/lib/attachments/attachment";
import { checkSignature } from "@/lib/attachments/attachment-url";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** A file to serve. The bytes of an id never change. */
export interface OpenFile {
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  /** Opens the file. Errors: attachment_not_found when the file has since been deleted. */
  read(range?: ByteRange): Promise<ByteStream>;
}

/**
 * The file at a URL of the CDN host. A persistent file is open to anyone who has its URL; the URL of an ephemeral file
 * must be signed and not expired (docs/contract.md, section 10.3). Errors: attachment_not_found, access_denied (expired
 * or forged).
 */
export async function openAttachment(
  partnerId: string,
  attachmentId: string,
  query: URLSearchParams,
): Promise<OpenFile> {
  // A deleted file is not found, even with a valid signature (docs/contract.md, section 10.3).
  const row = await findDownloadable(partnerId, attachmentId);
  if (row === undefined) fail("attachment_not_found");

  const signature = checkSignature({ partnerId, attachmentId }, query);
  if (signature === "forged") fail("access_denied", "the URL was modified");
  if (signature === "expired")
    fail("access_denied", "the URL has expired: get a new URL with GET /v3/attachments/{attachmentId}");
  if (row.tier === "ephemeral" && signature !== "valid") fail("attachment_not_found");

  const key = objectKey({ accountId: row.account_id, attachmentId });
  return {
    id: row.id,
    filename: row.filename,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    read: async (range) => (await objectStore().get(key, range))?.body ?? fail("attachment_not_found"),
  };
}

const OPEN_ATTACHMENT = statement(
  "open-attachment",
  `select ${ATTACHMENT_COLUMNS}
  from (select * from attachments where id = :attachmentId offset 0) t join accounts a on a.id = t.account_id
  where a.partner_id = :partnerId and t.status = 'complete'`,
);

async function findDownloadable(partnerId: string, attachmentId: string): Promise<AttachmentRow | undefined> {
  const [row] = await sql.run(OPEN_ATTACHMENT, { partnerId, attachmentId });
  return row;
}
