import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { type AttachmentRow, objectKey } from "@/lib/attachments/attachment";
import { log } from "@/lib/platform/log";

/** Why a complete attachment can't be used. */
export const LOST_FILE =
  "the stored file is missing: restore the files from a backup, or create another attachment";

/**
 * Whether the store no longer has the file of a complete attachment, for example because its disk was replaced. false when
 * the store does not answer, because the file may be there.
 */
export async function isLost({ id, account_id }: Pick<AttachmentRow, "id" | "account_id">): Promise<boolean> {
  try {
    return (await objectStore().head(objectKey({ accountId: account_id, attachmentId: id }))) === null;
  } catch (error) {
    log.warn({ err: error, attachmentId: id }, "the store of files does not answer");
    return false;
  }
}
