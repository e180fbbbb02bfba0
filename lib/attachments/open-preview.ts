import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey, previewKey } from "@/lib/attachments/attachment";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { makePreview, PREVIEW_TYPES } from "@/lib/attachments/make-preview";
import type { OpenFile } from "@/lib/attachments/open-attachment";
import { previewOf } from "@/lib/attachments/preview-kinds";
import { storeDerivedFile } from "@/lib/attachments/store-derived-file";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { runSerially } from "@/lib/platform/run-serially";

/**
 * Returns the preview of an attachment. It is generated at the first request and stored beside the file. Errors:
 * attachment_not_found; attachment_not_ready; name_unknown when there is no preview because of the file's type, a
 * broken file or a missing tool.
 */
export async function openPreview(ctx: Context, attachmentId: string): Promise<OpenFile> {
  const file = await findAttachment(ctx.account.id, attachmentId);
  if (file.status !== "complete") fail("attachment_not_ready");
  const preview = previewOf(file.content_type) ?? noPreview();
  const key = previewKey({ accountId: ctx.account.id, attachmentId: file.id });
  const known = await objectStore().head(key);
  const sizeBytes = known?.sizeBytes ?? (await make(ctx.account.id, file));
  return {
    id: `${file.id}-preview`,
    filename: `${file.filename}.${preview === "image" ? "webp" : "mp4"}`,
    contentType: PREVIEW_TYPES[preview],
    sizeBytes,
    read: async (range) => (await objectStore().get(key, range))?.body ?? fail("attachment_not_found"),
  };
}

// Decoding is expensive, so this process generates one preview at a time, however many a page requests.
function make(accountId: string, file: { id: string; content_type: string }): Promise<number> {
  const attachmentId = file.id;
  return runSerially("previews", async () => {
    const known = await objectStore().head(previewKey({ accountId, attachmentId }));
    if (known !== null) return known.sizeBytes;
    const made = await makePreview(file.content_type, async () => {
      const found = await objectStore().get(objectKey({ accountId, attachmentId }));
      return found?.body ?? fail("attachment_not_found");
    }).catch((error: unknown) => {
      log.warn({ err: error, attachmentId }, "a file has no preview: it could not be decoded");
      return null;
    });
    if (made === null) return noPreview();
    return storeDerivedFile(previewKey({ accountId, attachmentId }), made);
  });
}

function noPreview(): never {
  return fail("name_unknown", "this file has no preview: download the file");
}
