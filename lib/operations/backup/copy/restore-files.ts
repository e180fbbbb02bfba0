import "server-only";
import path from "node:path";
import { ObjectExists, type ObjectStore, type StoredObject } from "@/lib/adapters/storage/object-store";
import { diskStoreIn } from "@/lib/adapters/storage/registry";
import { fileOfKey, objectKey } from "@/lib/attachments/attachment";
import { reasonOf } from "@/lib/operations/backup/copy/copy-bucket";
import { copyFolder } from "@/lib/operations/backup/copy/copy-folder";
import { forEachFile } from "@/lib/operations/backup/copy/for-each-file";

const CONCURRENCY = 4;

/** Copies the files of a backup into a DATA_DIR. */
export async function restoreFilesToDisk(backup: string, dataDir: string): Promise<void> {
  await copyFolder(path.join(backup, "objects"), path.join(dataDir, "objects"));
}

/**
 * Stores the files of a backup in a bucket. Objects never change, so one that the bucket has with the same size is left
 * as it is, and a restore that failed can be repeated. Returns the number of files that were stored and of those that
 * the bucket had. Throws an Error that names the file when the bucket refuses it or has another one under its key.
 */
export async function restoreFilesToBucket(
  backup: string,
  bucket: ObjectStore,
): Promise<{ stored: number; present: number }> {
  const counts = { stored: 0, present: 0 };
  const copy = diskStoreIn(backup);
  await forEachFile(copy.list(), CONCURRENCY, async (file) => {
    const isNew = await storeOne(copy, bucket, file).catch((error: unknown) => {
      throw new Error(
        `The file ${file.key} could not be stored in the bucket: ${reasonOf(error)}. Check that S3_ENDPOINT answers and that the keys may write to the bucket. Then restore again: files that were stored are kept.`,
        { cause: error },
      );
    });
    counts[isNew ? "stored" : "present"]++;
  });
  return counts;
}

async function storeOne(
  copy: ObjectStore,
  bucket: ObjectStore,
  { key, sizeBytes }: StoredObject,
): Promise<boolean> {
  const file = await copy.get(key);
  if (file === null) throw new Error("the backup has lost it");
  const limits = { contentType: "application/octet-stream", leastBytes: sizeBytes, mostBytes: sizeBytes };
  try {
    await bucket.put(key, file.body, limits);
    return true;
  } catch (error) {
    if (!(error instanceof ObjectExists)) throw error;
    const present = await bucket.head(key);
    if (present?.sizeBytes === sizeBytes || isDerived(key)) return false;
    throw new Error(
      `the bucket has another object under this key, with ${present?.sizeBytes} instead of ${sizeBytes} bytes`,
    );
  }
}

// Converted files and previews are made again when they are missing, perhaps with another size.
function isDerived(key: string): boolean {
  const file = fileOfKey(key);
  return file !== null && objectKey(file) !== key;
}
