import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey, previewKey } from "@/lib/attachments/attachment";
import { makePreview, PREVIEW_TYPES } from "@/lib/attachments/conversions/make-preview";
import {
  findDerivedFile,
  storeDerivedFailure,
  storeDerivedFile,
} from "@/lib/attachments/conversions/store-derived-file";
import { type PreviewKind, previewKind } from "@/lib/attachments/file-types/preview-kinds";
import type { OpenFile } from "@/lib/attachments/files/open-attachment";
import { findAttachment } from "@/lib/attachments/find-attachment";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { log } from "@/lib/platform/telemetry/log";

/** Images are decoded in this process, one at a time; other files by programs, which have places of their own. */
const imageSlots = new FairSlots({ total: 1, perOwner: 1, waitingPerOwner: 1000 });

/**
 * Returns the preview of an attachment. It is generated at the first request and stored beside the file; so is the
 * result that a file has none. `signal`: ends the work when its request has ended. Errors: attachment_not_found;
 * attachment_not_ready; name_unknown when there is no preview because of the file's type, a broken file, a file that
 * takes too long to decode, or a missing tool.
 */
export async function openPreview(
  ctx: Context,
  attachmentId: string,
  signal?: AbortSignal,
): Promise<OpenFile> {
  const file = await findAttachment(ctx.account.id, attachmentId);
  if (file.status !== "complete") fail("attachment_not_ready");
  const kind = previewKind(file.content_type) ?? noPreview();
  const source = { accountId: ctx.account.id, attachmentId: file.id };
  const key = previewKey(source);
  const sizeBytes = await findOrMake(key, { ...source, contentType: file.content_type, kind }, signal);
  return {
    id: `${file.id}-preview`,
    filename: `${file.filename}.${kind.makes === "image" ? "webp" : "mp4"}`,
    contentType: PREVIEW_TYPES[kind.makes],
    sizeBytes,
    read: async (range) => (await objectStore().get(key, range))?.body ?? fail("attachment_not_found"),
  };
}

interface Source {
  accountId: string;
  attachmentId: string;
  contentType: string;
  kind: PreviewKind;
}

async function findOrMake(key: string, source: Source, signal: AbortSignal | undefined): Promise<number> {
  const known = await findDerivedFile(key);
  if (known === "failed") return noPreview();
  if (known !== null) return known;
  const make = () => makeOnce(key, source, signal);
  // A second request for the same file waits for the first and finds its result.
  return runSerially(key, () =>
    source.kind.type === "sharp" ? imageSlots.run(source.accountId, make) : make(),
  );
}

async function makeOnce(key: string, source: Source, signal: AbortSignal | undefined): Promise<number> {
  signal?.throwIfAborted();
  const known = await findDerivedFile(key);
  if (known === "failed") return noPreview();
  if (known !== null) return known;
  const made = await makeOrRecordFailure(key, source, signal);
  return made === null ? noPreview() : storeDerivedFile(key, made);
}

async function makeOrRecordFailure(
  key: string,
  { accountId, attachmentId, contentType }: Source,
  signal: AbortSignal | undefined,
): Promise<Buffer | null> {
  const found = await objectStore().get(objectKey({ accountId, attachmentId }));
  if (found === null) return fail("attachment_not_found");
  try {
    return await makePreview(contentType, async () => found.body, { accountId, ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    log.warn({ err: error, attachmentId }, "a file has no preview: it could not be decoded");
    await storeDerivedFailure(key);
    return null;
  }
}

function noPreview(): never {
  return fail("name_unknown", "this file has no preview: download the file");
}
