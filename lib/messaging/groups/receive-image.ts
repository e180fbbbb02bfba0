import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InMedia } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { MAX_DOWNLOAD_BYTES } from "@/lib/attachments/attachment";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { readWithin } from "@/lib/attachments/store/read-within";
import { discardFiles, storeFile } from "@/lib/attachments/store/store-file";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

const MAX_WAIT_MS = 8000;

/**
 * Stores the image of a change, if it has one, and runs `keep` with it. The image is discarded when `keep` changed
 * nothing. Errors, when the image is required: content_type_mismatch, file_too_large, file_type_invalid.
 */
export async function withReceivedImage(
  line: LineRef,
  image: InMedia | null,
  keep: (file: NewFile | null) => Promise<boolean>,
): Promise<void> {
  const file = image === null ? null : await take(line, image);
  if (file === "refused") return;
  let isKept = false;
  try {
    isKept = await keep(file);
  } finally {
    if (!isKept && file !== null) await discardFiles(line.accountId, [file]);
  }
}

async function take(line: LineRef, image: InMedia): Promise<NewFile | "refused"> {
  try {
    return await store(line, image);
  } catch (error) {
    // Otherwise the vendor would redeliver the event again and again, for as long as the host of the image is down.
    const isOfFile = error instanceof ApiError || error instanceof AdapterError;
    if (image.isRequired === true || !isOfFile) throw error;
    log.warn({ lineId: line.id, reason: error.message }, "an inbound chat image was omitted");
    return "refused";
  }
}

async function store({ accountId }: LineRef, { filename, open }: InMedia): Promise<NewFile> {
  const body = await readWithin(AbortSignal.timeout(MAX_WAIT_MS), open);
  // The peer's content type is not reliable, so the bytes determine the type.
  const file = await storeFile({
    accountId,
    filename,
    contentType: null,
    mostBytes: MAX_DOWNLOAD_BYTES,
    body,
  });
  if (file.contentType.startsWith("image/")) return file;
  await discardFiles(accountId, [file]);
  return fail("content_type_mismatch", `${filename} is not an image`);
}
