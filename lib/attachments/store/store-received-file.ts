import "server-only";
import type { InMedia } from "@/lib/adapters/transports/inbound";
import { currentName, isSupported } from "@/lib/attachments/file-types/content-types";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { readWithin } from "@/lib/attachments/store/read-within";
import { normalType, receivedType } from "@/lib/attachments/store/received-type";
import { cleanName, storeFile, storeStreamAs } from "@/lib/attachments/store/store-file";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** A file of an inbound message: the part of InMedia that is needed to store it. */
type ReceivedFile = Pick<InMedia, "filename" | "mimeType" | "open" | "isRequired">;

/**
 * Stores a file that a person sent, under the type of its bytes, until the signal aborts. The caller inserts its row.
 * A required file, which can be corrected, has the checks of an upload. Errors: file_too_large, content_type_mismatch
 * (empty), those of the stream, and for a required file those of `storeFile`. On failure nothing is stored.
 */
export async function storeReceivedFile(
  accountId: string,
  { filename, mimeType, open, isRequired = false }: ReceivedFile,
  { signal, id = newId(now().getTime()) }: { signal: AbortSignal; id?: string },
): Promise<NewFile> {
  const body = await readWithin(signal, open);
  if (isRequired) {
    const contentType = mimeType !== null && isSupported(mimeType) ? currentName(mimeType) : null;
    return storeFile({ accountId, filename, contentType, mostBytes: MAX_UPLOAD_BYTES, body });
  }
  return storeStreamAs({ accountId, id, body, mostBytes: MAX_UPLOAD_BYTES, contentType: null }, (detected) =>
    receivedType(cleanName(filename), mimeType, detected),
  );
}

/** The name, type and size of a file whose bytes are not there yet, as far as the vendor reported them. */
export function announcedFile({ filename, mimeType, sizeBytes }: InMedia): Omit<NewFile, "id"> {
  const size = Number.isSafeInteger(sizeBytes) && (sizeBytes ?? 0) > 0 ? sizeBytes : 0;
  return { ...receivedType(cleanName(filename), normalType(mimeType), null), sizeBytes: size ?? 0 };
}
