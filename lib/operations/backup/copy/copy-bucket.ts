import "server-only";
import { link, mkdir } from "node:fs/promises";
import path from "node:path";
import type { ObjectStore, StoredObject } from "@/lib/adapters/storage/object-store";
import { diskStoreIn, objectFileIn } from "@/lib/adapters/storage/registry";
import { fileOfKey } from "@/lib/attachments/attachment";
import { forEachFile } from "@/lib/operations/backup/copy/for-each-file";

const CONCURRENCY = 8;
/** A connection can break in a copy of hours. Refusals of the bucket are final, and the store repeats what it should. */
const ATTEMPTS = 3;

interface BucketCopy {
  bucket: ObjectStore;
  /** The backup. */
  folder: string;
  /** An earlier backup. Files that it has with the same size are linked, because objects never change. */
  previous: string | undefined;
}

interface OpenCopy extends BucketCopy {
  store: ObjectStore;
  earlier: ObjectStore | null;
}

/**
 * Copies the files of a bucket into a backup, in the layout of the disk. Each is streamed and must have the size that
 * the bucket declares. Files that the backup has already are not copied again, files that are deleted meanwhile are left
 * out, and so are objects that are not Trunkline's. Every copied file is on disk when this resolves. Throws an Error
 * that names the first file that could not be copied.
 */
export async function copyBucket(from: BucketCopy): Promise<void> {
  const { bucket, folder, previous } = from;
  const copy = {
    ...from,
    store: diskStoreIn(folder),
    earlier: previous === undefined ? null : diskStoreIn(previous),
  };
  await forEachFile(listFiles(bucket), CONCURRENCY, async (file) => {
    await copyOne(copy, file).catch((error: unknown) => {
      throw new Error(
        `The file ${file.key} in the bucket could not be copied: ${reasonOf(error)}. The backup was not made.`,
        { cause: error },
      );
    });
  });
}

async function* listFiles(bucket: ObjectStore): AsyncGenerator<StoredObject[]> {
  try {
    for await (const page of bucket.list()) yield page.filter(({ key }) => fileOfKey(key) !== null);
  } catch (error) {
    throw new Error(
      `The files in the bucket could not be listed: ${reasonOf(error)}. Check that S3_ENDPOINT answers and that the keys may list the bucket and read its objects.`,
      { cause: error },
    );
  }
}

async function copyOne(copy: OpenCopy, { key, sizeBytes }: StoredObject): Promise<void> {
  const { bucket, store, earlier } = copy;
  const present = await store.head(key);
  if (present?.sizeBytes === sizeBytes) return;
  // A converted file or a preview was made again.
  if (present !== null) await store.delete(key);
  if (copy.previous !== undefined && (await earlier?.head(key))?.sizeBytes === sizeBytes) {
    const target = objectFileIn(copy.folder, key);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await link(objectFileIn(copy.previous, key), target);
    return;
  }
  await download(bucket, store, key);
}

async function download(bucket: ObjectStore, store: ObjectStore, key: string, attempt = 1): Promise<void> {
  const found = await bucket.get(key);
  if (found === null) return;
  const { body, sizeBytes } = found;
  const limits = { contentType: "application/octet-stream", leastBytes: sizeBytes, mostBytes: sizeBytes };
  try {
    await store.put(key, body, limits);
  } catch (error) {
    const isDeleted = await bucket.head(key).then(
      (still) => still === null,
      () => false,
    );
    if (isDeleted) return;
    if (attempt === ATTEMPTS) throw error;
    await download(bucket, store, key, attempt + 1);
  }
}

/** Describes why a bucket failed. `fetch` has the reason of a broken connection in the error's cause. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  const inner = cause?.message || cause?.code;
  return inner === undefined ? message : `${message} (${inner})`;
}
