import "server-only";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { attachmentIdOf } from "@/lib/attachments/attachment-url";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { downloadMedia } from "@/lib/attachments/media/download-media";
import {
  discardMedia,
  type FoundMedia,
  findMedia,
  insertDownloads,
  type MediaTarget,
} from "@/lib/attachments/media/media-rows";
import { rehostImage } from "@/lib/attachments/media/rehost-image";
import { findLost, LOST_FILE } from "@/lib/attachments/store/is-lost";
import { settleUpload } from "@/lib/attachments/store/settle-upload";
import { discardFiles } from "@/lib/attachments/store/store-file";
import type { Context } from "@/lib/platform/context";
import { isOwnUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { mapLimited } from "@/lib/platform/tasks/map-limited";
import { now } from "@/lib/platform/time/clock";

const CONCURRENT_DOWNLOADS = 4;
const DOWNLOADS_MS = 30_000;

/** A file requested for a message, by URL or attachment id. */
export interface MediaRequest {
  url?: string | undefined;
  attachment_id?: string | undefined;
  /** The image of a card, which has no other file. Its URL may have any name, so only its bytes determine the type. */
  isImage?: boolean;
}

/** The files of a message, in the order of the requests. */
export interface ResolvedMedia {
  messageId: string;
  files: AttachmentRow[];
  /** Reverts all writes for a message that was not accepted. */
  discard(): Promise<void>;
}

type Source = { attachmentId: string } | { url: URL };

/**
 * Finds the attachments of an outbound message and downloads its public URLs, four in parallel and within 30 s in total
 * (docs/contract.md, section 6.3). Takes one statement, or two with downloads. Returns an earlier message with the
 * idempotency key, or `chat_missing`, before any download. Errors: attachment_not_found, attachment_not_ready, and as
 * `downloadMedia`.
 */
export async function resolveMedia(
  ctx: Context,
  requests: readonly MediaRequest[],
  place: MediaTarget,
): Promise<ResolvedMedia | { replayOf: string } | "chat_missing"> {
  const sources = requests.map(sourceOf);
  const urls = [...new Set(sources.flatMap((source) => ("url" in source ? source.url.href : [])))];
  const messageId = place.messageId ?? newId(ctx.now.getTime(), ctx.account.id, "message");
  const found = await findMedia(ctx, place, {
    attachmentIds: sources.flatMap((source) => ("attachmentId" in source ? source.attachmentId : [])),
    // Ids order messages by time, so with downloads the id is created after the downloads.
    usedBy: urls.length === 0 ? messageId : null,
  });
  if (found.replayOf !== null) return { replayOf: found.replayOf };
  if (found.lineId === null) return "chat_missing";
  const { tightened } = found;
  const kept = await readyFiles(sources, found).catch(async (error: unknown) => {
    await discardMedia(ctx, messageId, { kept: found.files, downloaded: [], tightened });
    throw error;
  });
  if (urls.length === 0)
    return toResolved(ctx, messageId, sources, { kept, tightened, downloaded: new Map() });

  const isImage = requests.some((request) => request.isImage === true);
  const downloads = await downloadAll(ctx, urls, isImage ? downloadImage : downloadMedia);
  const laterId = place.messageId ?? newId(now().getTime());
  const rows = await insertDownloads(ctx, {
    lineId: found.lineId,
    messageId: laterId,
    kept,
    files: downloads,
  }).catch(async (error: unknown) => {
    await discardFiles(ctx.account.id, downloads);
    throw error;
  });
  const downloaded = new Map(
    urls.flatMap((url, index) => (rows[index] === undefined ? [] : [[url, rows[index]]])),
  );
  return toResolved(ctx, laterId, sources, { kept, tightened, downloaded });
}

function sourceOf({ url, attachment_id }: MediaRequest): Source {
  if (attachment_id !== undefined) return { attachmentId: attachment_id.toLowerCase() };
  const target = new URL(url ?? "");
  if (!isOwnUrl(target)) return { url: target };
  return { attachmentId: attachmentIdOf(target.pathname) ?? fail("attachment_not_found") };
}

async function readyFiles(
  sources: readonly Source[],
  { files }: FoundMedia,
): Promise<ReadonlyMap<string, AttachmentRow>> {
  const byId = new Map(files.map((file) => [file.id, file]));
  const used = new Set<AttachmentRow>();
  for (const source of sources) {
    if ("url" in source) continue;
    const file = byId.get(source.attachmentId) ?? fail("attachment_not_found");
    const status = await settleUpload(file);
    if (status === "gone") fail("attachment_not_found");
    if (status === "pending") fail("attachment_not_ready", "upload the file first");
    if (status === "failed") fail("content_type_mismatch", `the uploaded file is not ${file.content_type}`);
    used.add(file);
  }
  if ((await findLost([...used])).size > 0) fail("attachment_not_ready", LOST_FILE);
  return byId;
}

function downloadImage(accountId: string, url: URL): Promise<NewFile> {
  return rehostImage(accountId, url);
}

// The first failure aborts the other downloads, and the files stored so far are discarded.
async function downloadAll(
  ctx: Context,
  urls: readonly string[],
  download: (accountId: string, url: URL, signal: AbortSignal) => Promise<NewFile>,
): Promise<NewFile[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(DOWNLOADS_MS)]);
  const results = await mapLimited(CONCURRENT_DOWNLOADS, urls, async (url) => {
    try {
      return await download(ctx.account.id, new URL(url), signal);
    } catch (error) {
      failed.abort(error);
      throw failed.signal.reason;
    }
  });
  const files = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const refused = results.find((result) => result.status === "rejected");
  if (refused === undefined) return files;
  await discardFiles(ctx.account.id, files);
  throw refused.reason;
}

interface Files {
  kept: ReadonlyMap<string, AttachmentRow>;
  downloaded: ReadonlyMap<string, AttachmentRow>;
  tightened: readonly string[];
}

function toResolved(
  ctx: Context,
  messageId: string,
  sources: readonly Source[],
  { kept, downloaded, tightened }: Files,
): ResolvedMedia {
  const files = sources.map((source) => {
    const file = "url" in source ? downloaded.get(source.url.href) : kept.get(source.attachmentId);
    return file ?? fail("attachment_not_found");
  });
  const stored = { kept: [...kept.values()], downloaded: [...downloaded.values()], tightened };
  return { messageId, files, discard: () => discardMedia(ctx, messageId, stored) };
}
