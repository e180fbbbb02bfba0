import "server-only";
import { DOWNLOAD_MOST_BYTES } from "@/lib/attachments/attachment";
import { typeOfExtension } from "@/lib/attachments/content-types";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { mayDownload, mediaAgent } from "@/lib/attachments/media-target";
import { storeFile } from "@/lib/attachments/store-file";
import { fail } from "@/lib/platform/errors";
import { type OpenAnswer, openGuarded } from "@/lib/platform/safe-fetch";

/**
 * Downloads a media url into the store, over the guarded connector, at most 10 MB, and checks it by its bytes
 * (partner-api.md, media). Errors: image_download_failed (also what may not be reached, and redirects),
 * file_type_invalid, file_too_large, content_type_mismatch.
 */
export async function downloadMedia(accountId: string, url: URL, signal: AbortSignal): Promise<NewFile> {
  const named = nameOf(url);
  if (!mayDownload(url)) fail("image_download_failed", "the url must begin with https://");

  const answer = await openGuarded(mediaAgent(), url, signal).catch(() =>
    fail("image_download_failed", SILENT),
  );
  try {
    checkAnswer(answer);
    return await storeFile({ accountId, ...named, mostBytes: DOWNLOAD_MOST_BYTES, body: reading(answer) });
  } finally {
    answer.drop();
  }
}

const SILENT = "no answer came from the url";

function checkAnswer({ status, headers }: OpenAnswer): void {
  if (status < 200 || status > 299) fail("image_download_failed", `the url answered ${status}`);
  const length = Number(headers["content-length"] ?? 0);
  if (length > DOWNLOAD_MOST_BYTES)
    fail("file_too_large", "a url may give at most 10 MB: upload the file instead");
}

async function* reading({ body }: OpenAnswer) {
  try {
    yield* body;
  } catch {
    fail("image_download_failed", "the download broke off");
  }
}

/** The name at the end of the path and the type of its extension; without an extension the bytes will tell. */
function nameOf(url: URL): { filename: string; contentType: string | null } {
  const filename = decode(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
  const extension = /\.([^.]+)$/.exec(filename)?.[1];
  if (extension === undefined) return { filename, contentType: null };
  const contentType = typeOfExtension(extension);
  if (contentType === null) fail("file_type_invalid", `.${extension.slice(0, 20)} is not accepted in a url`);
  return { filename, contentType };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
