import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { findAttachment } from "@/lib/attachments/find-attachment";
import type { OpenMedia } from "@/lib/attachments/media/download-media";
import { readStore } from "@/lib/attachments/store/read-store";
import { settleUpload } from "@/lib/attachments/store/settle-upload";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Opens the file of a complete attachment of the account. Errors: attachment_not_found, attachment_not_ready,
 * download_failed.
 */
export async function openOwnFile(accountId: string, attachmentId: string): Promise<OpenMedia> {
  const attachment = await findAttachment(accountId, attachmentId);
  if ((await settleUpload(attachment)) !== "complete") fail("attachment_not_ready");
  const stored = await readStore(accountId, () => objectStore().get(objectKey({ accountId, attachmentId })));
  if (stored === null) fail("attachment_not_found");
  return { filename: attachment.filename, contentType: attachment.content_type, body: stored.body };
}
