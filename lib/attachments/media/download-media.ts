import "server-only";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { MAX_DOWNLOAD_BYTES } from "@/lib/attachments/attachment";
import { typeOfExtension } from "@/lib/attachments/file-types/content-types";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { mayDownload, mediaAgent } from "@/lib/attachments/media/media-target";
import { storeFile } from "@/lib/attachments/store/store-file";
import { isOwnUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { type OpenAnswer, openGuarded } from "@/lib/platform/guarded-fetch/safe-fetch";

/**
 * Downloads a media URL into the store, at most 10 MB, and checks the type of its bytes
 * (docs/contract.md, section 6.3). Errors: as `openMedia`, file_too_large, file_type_invalid, content_type_mismatch.
 */
export async function downloadMedia(accountId: string, url: URL, signal: AbortSignal): Promise<NewFile> {
  const media = await openMedia(url, signal);
  return storeFile({ accountId, ...media, mostBytes: MAX_DOWNLOAD_BYTES });
}

/** A downloadable file: its name, the type of its extension (null without one), and its bytes. */
export interface OpenMedia {
  filename: string;
  contentType: string | null;
  body: ByteStream;
}

/**
 * Requests a media URL over the guarded connector. Blocked targets and failures look the same to the caller. Errors:
 * image_download_failed, file_type_invalid (by its extension), file_too_large (by its declared size).
 */
export async function openMedia(url: URL, signal: AbortSignal): Promise<OpenMedia> {
  const named = nameOf(url);
  return { ...named, body: await openUrl(url, signal) };
}

const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads the bytes of a URL, of any type. Up to three redirects are followed, each checked like the URL itself
 * (docs/contract.md, section 6.3). Errors: image_download_failed, file_too_large (by its declared size).
 */
export async function openUrl(url: URL, signal: AbortSignal, redirects = 0): Promise<ByteStream> {
  if (!mayDownload(url)) fail("image_download_failed", "the URL must start with https://");

  const answer = await openGuarded(mediaAgent(), url, signal).catch(() =>
    fail("image_download_failed", SILENT),
  );
  const next = redirectOf(answer, url);
  if (next !== null) {
    answer.drop();
    if (redirects === REDIRECTS_MAX) fail("image_download_failed", "the URL redirects more than three times");
    return openUrl(next, signal, redirects + 1);
  }
  try {
    checkAnswer(answer);
  } catch (error) {
    answer.drop();
    throw error;
  }
  return reading(answer);
}

function redirectOf({ status, headers }: OpenAnswer, from: URL): URL | null {
  const { location } = headers;
  if (!REDIRECTS.has(status) || typeof location !== "string") return null;
  const next = URL.parse(location, from.href);
  // Trunkline's own files are never downloaded over the network.
  if (next === null || isOwnUrl(next))
    fail("image_download_failed", "the URL redirects to a location without a file");
  return next;
}

const SILENT = "the URL did not respond";

function checkAnswer({ status, headers }: OpenAnswer): void {
  if (status < 200 || status > 299) fail("image_download_failed", `the URL returned status ${status}`);
  const length = Number(headers["content-length"] ?? 0);
  if (length > MAX_DOWNLOAD_BYTES)
    fail("file_too_large", "a file from a URL must be at most 10 MB: upload the file instead");
}

async function* reading(answer: OpenAnswer): ByteStream {
  try {
    yield* answer.body;
  } catch {
    fail("image_download_failed", "the download was interrupted");
  } finally {
    answer.drop();
  }
}

/** The file name of a URL and the type of its extension. Without an extension, the bytes determine the type. */
function nameOf(url: URL): { filename: string; contentType: string | null } {
  const filename = filenameOf(url);
  const extension = /\.([^.]+)$/.exec(filename)?.[1];
  if (extension === undefined) return { filename, contentType: null };
  const contentType = typeOfExtension(extension);
  if (contentType === null)
    fail("file_type_invalid", `.${extension.slice(0, 20)} is not a supported file extension`);
  return { filename, contentType };
}

/** The last segment of a URL's path. */
export function filenameOf(url: URL): string {
  return decode(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
