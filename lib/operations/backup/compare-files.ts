import "server-only";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { objectKey } from "@/lib/attachments/attachment";
import type { RowOf } from "@/lib/platform/database/statement";

const NAMED = 20;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Attachments are read in pages of this size, because an instance may have millions. */
export const ATTACHMENT_PAGE = 1000;

/** A complete attachment. */
export type AttachmentFile = RowOf<"list-attachments-to-back-up">;

/** Complete attachments without their file. */
export interface MissingFiles {
  missingCount: number;
  /** The keys of the first of them. A file of another size has both sizes beside its key. */
  missingFiles: string[];
}

/**
 * Looks for the file of every complete attachment in a copy of the files. The file must have the size that the database
 * knows. `readPage` returns the attachments after a key, in the order of account and id, at most ATTACHMENT_PAGE.
 * `isExpected` is asked about each file that is missing: false = the attachment is being changed.
 */
export async function compareFiles(
  copy: ObjectStore,
  readPage: (after: Pick<AttachmentFile, "account_id" | "id">) => Promise<AttachmentFile[]>,
  isExpected: (file: AttachmentFile) => Promise<boolean> = async () => true,
): Promise<MissingFiles> {
  const missing: MissingFiles = { missingCount: 0, missingFiles: [] };
  let after = { account_id: NO_ID, id: NO_ID };
  for (;;) {
    const page = await readPage(after);
    for (const file of page) {
      const problem = await problemOf(copy, file);
      if (problem === null || !(await isExpected(file))) continue;
      missing.missingCount++;
      if (missing.missingFiles.length < NAMED) missing.missingFiles.push(problem);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < ATTACHMENT_PAGE) return missing;
    after = last;
  }
}

async function problemOf(copy: ObjectStore, file: AttachmentFile): Promise<string | null> {
  const key = objectKey({ accountId: file.account_id, attachmentId: file.id });
  const found = await copy.head(key);
  if (found === null) return key;
  const size = Number(file.size_bytes);
  return found.sizeBytes === size ? null : `${key} (${found.sizeBytes} of ${size} bytes)`;
}

/** Counts the files of a store. */
export async function countFiles(store: ObjectStore): Promise<{ count: number; bytes: number }> {
  const counted = { count: 0, bytes: 0 };
  for await (const page of store.list()) {
    counted.count += page.length;
    for (const { sizeBytes } of page) counted.bytes += sizeBytes;
  }
  return counted;
}
