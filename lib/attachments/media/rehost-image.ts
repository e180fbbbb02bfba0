import "server-only";
import { MAX_DOWNLOAD_BYTES } from "@/lib/attachments/attachment";
import { attachmentIdOf } from "@/lib/attachments/attachment-url";
import { detectType } from "@/lib/attachments/file-types/detect-type";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { type ImageSize, imageSize } from "@/lib/attachments/measurements/image-size";
import { filenameOf, openUrl } from "@/lib/attachments/media/download-media";
import { openOwnFile } from "@/lib/attachments/media/open-own-file";
import { storeFile } from "@/lib/attachments/store/store-file";
import { isOwnUrl } from "@/lib/platform/env";
import { ApiError, fail } from "@/lib/platform/errors/errors";

const DOWNLOAD_MS = 30_000;

/** The accepted image types, as detected from the bytes, with the stored content type and extension. */
const IMAGES: ReadonlyMap<string, { contentType: string; extension: string }> = new Map([
  ["image/jpeg", { contentType: "image/jpeg", extension: "jpg" }],
  ["image/png", { contentType: "image/png", extension: "png" }],
  ["image/webp", { contentType: "image/webp", extension: "webp" }],
  ["image/heic", { contentType: "image/heic", extension: "heic" }],
  ["image/heif", { contentType: "image/heif", extension: "heif" }],
]);

/**
 * Downloads an image over the guarded connector, or reads it from the account's files, checks its bytes and stores it
 * as a new file. The caller inserts its row. `check` can reject its size. Errors: image_download_failed,
 * content_type_mismatch (not JPEG, PNG, WebP or HEIC), attachment_not_found, attachment_not_ready, and those of
 * `check`.
 */
export async function rehostImage(
  accountId: string,
  url: URL,
  check: (size: ImageSize) => void = () => undefined,
): Promise<NewFile> {
  const bytes = await readImage(accountId, url);
  const kind = IMAGES.get((await detectType(createBufferReader(bytes))) ?? "");
  const size = kind === undefined ? null : await imageSize(bytes, kind.contentType);
  if (kind === undefined || size === null) {
    fail("content_type_mismatch", "the URL does not return a JPEG, PNG, WebP or HEIC image");
  }
  check(size);

  const filename = `${filenameOf(url).replace(/\.[^.]*$/, "") || "image"}.${kind.extension}`;
  const { contentType } = kind;
  return storeFile({ accountId, filename, contentType, mostBytes: MAX_DOWNLOAD_BYTES, body: once(bytes) });
}

async function readImage(accountId: string, url: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const ownId = isOwnUrl(url) ? (attachmentIdOf(url.pathname) ?? fail("attachment_not_found")) : null;
  const body = ownId === null ? await openForeign(url) : (await openOwnFile(accountId, ownId)).body;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_DOWNLOAD_BYTES) fail("image_download_failed", "an image must be at most 10 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function openForeign(url: URL) {
  try {
    return await openUrl(url, AbortSignal.timeout(DOWNLOAD_MS));
  } catch (error) {
    if (!(error instanceof ApiError) || error.errorName !== "file_too_large") throw error;
    return fail("image_download_failed", "an image must be at most 10 MB");
  }
}

function createBufferReader(bytes: Buffer) {
  const read = async (start: number, length: number) => bytes.subarray(start, start + length);
  return { sizeBytes: bytes.length, read };
}

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
