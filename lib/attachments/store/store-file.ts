import "server-only";
import { type ByteStream, SizeMismatch } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { fitsType, typeOfBytes } from "@/lib/attachments/file-types/content-types";
import { detectType } from "@/lib/attachments/file-types/detect-type";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { storeStream } from "@/lib/attachments/store/store-stream";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const MAX_FILENAME = 255;
const UNKNOWN = "application/octet-stream";

interface IncomingFile {
  accountId: string;
  /** Any text. Characters that file names can't contain are replaced. */
  filename: string;
  /** null to detect the type from the bytes. */
  contentType: string | null;
  mostBytes: number;
  body: ByteStream;
}

/**
 * Stores a stream as a new file of the account and checks the type of its bytes. The caller inserts its row. Errors:
 * file_too_large, content_type_mismatch, file_type_invalid (unsupported type), and those of the stream. On failure
 * nothing is stored.
 */
export async function storeFile({ filename, ...file }: IncomingFile): Promise<NewFile> {
  return storeStreamAs({ ...file, id: newId(now().getTime()) }, (detected) =>
    typed(cleanName(filename), file.contentType, detected),
  );
}

/**
 * Stores a stream under an id, and names it by the detected type of its bytes. Errors: file_too_large,
 * content_type_mismatch (empty), and those of `name` and of the stream. On failure nothing is stored.
 */
export async function storeStreamAs(
  { accountId, id, contentType, mostBytes, body }: Omit<IncomingFile, "filename"> & { id: string },
  name: (detected: string | null) => Pick<NewFile, "filename" | "contentType">,
): Promise<NewFile> {
  const key = objectKey({ accountId, attachmentId: id });
  const limits = { contentType: contentType ?? UNKNOWN, leastBytes: 1, mostBytes };
  const stored = await storeStream(key, body, limits).catch(failSizeMismatch);
  try {
    return { id, sizeBytes: stored.sizeBytes, ...name(await detectType(stored)) };
  } catch (error) {
    await objectStore().delete(key);
    throw error;
  }
}

/** Deletes stored files that have no rows. */
export async function discardFiles(accountId: string, files: readonly Pick<NewFile, "id">[]): Promise<void> {
  await Promise.all(files.map(({ id }) => objectStore().delete(objectKey({ accountId, attachmentId: id }))));
}

function typed(filename: string, contentType: string | null, detected: string | null) {
  if (contentType !== null) {
    if (!fitsType(contentType, detected)) fail("content_type_mismatch", `${filename} is not ${contentType}`);
    return { filename, contentType };
  }
  const found = detected === null ? null : typeOfBytes(detected);
  if (found === null) fail("file_type_invalid", "the file type is not supported");
  const hasExtension = /\.[A-Za-z0-9]{1,7}$/.test(filename);
  return {
    filename: hasExtension ? filename : `${filename}.${found.extension}`,
    contentType: found.contentType,
  };
}

function failSizeMismatch(error: unknown): never {
  if (!(error instanceof SizeMismatch)) throw error;
  if (error.reason === "too_large") fail("file_too_large");
  return fail("content_type_mismatch", "the file is empty");
}

/** A file name without characters that file names can't contain. */
export function cleanName(filename: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern replaces control characters
  const clean = filename.toWellFormed().replace(/[\u0000-\u001f\u007f/\\\u202a-\u202e\u2066-\u2069]/g, "_");
  return /^\.*$/.test(clean) ? "file" : clean.slice(-MAX_FILENAME).toWellFormed();
}
