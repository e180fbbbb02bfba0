import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InMedia } from "@/lib/adapters/transports/inbound";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import { openFile, putFile, type UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { contentShape } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";

/** A retry of a message uses the files of the attempt before. Later ones may be gone, on the ephemeral tier. */
const REUSE_MS = 10 * 60_000;

const Created = z.object({
  attachment_id: z.uuid(),
  download_url: z.string(),
  upload_url: z.string(),
  required_headers: z.record(z.string(), z.string()),
});

/** An uploaded file. */
interface UploadedFile {
  attachmentId: string;
  downloadUrl: string;
}

/** Uploads a file to the upstream account. Throws AdapterError. */
export async function uploadFile(
  api: UpstreamApi,
  file: OutMedia,
  signal: AbortSignal,
): Promise<UploadedFile> {
  const key = `${api.account} ${file.attachmentId} ${file.mimeType}`;
  const known = upstreamState().files.get(key);
  if (known !== undefined && performance.now() - known.uploadedAt < REUSE_MS) return known;
  const created = await beforeSend(
    api.call("POST /v3/attachments", {
      schema: Created,
      body: { filename: file.filename, content_type: file.mimeType, size_bytes: file.sizeBytes },
      signal,
    }),
  );
  await beforeSend(putFile(created.upload_url, created.required_headers, await file.open(), signal));
  const uploaded = { attachmentId: created.attachment_id, downloadUrl: created.download_url };
  upstreamState().files.set(key, { ...uploaded, uploadedAt: performance.now() });
  return uploaded;
}

/** A step before the send: when its outcome is unknown, the message itself was certainly not sent. */
export async function beforeSend<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof AdapterError) || error.kind !== "unknown_outcome") throw error;
    throw new AdapterError("line_down", error.message);
  }
}

/** A file of the upstream, by its URL. */
export function toInMedia(url: string, filename: string | null, mimeType: string | null): InMedia {
  const name = filename ?? (nameIn(url) || "file");
  return { type: "media", filename: name, mimeType, source: url, open: () => openFile(url) };
}

/** A file that the upstream does not have yet, by its place: the message and the part. */
export function toLateMedia(
  api: UpstreamApi,
  place: string,
  { filename, mime_type }: { filename?: string | null | undefined; mime_type?: string | null | undefined },
): InMedia {
  const open = (signal?: AbortSignal) => openSource(api, place, signal);
  return { type: "media", filename: filename ?? "file", mimeType: mime_type ?? null, source: place, open };
}

/** Opens a file by its URL, or by its place once the upstream has it. Throws AdapterError. */
export async function openSource(
  api: UpstreamApi,
  source: string,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (URL.canParse(source)) return openFile(source);
  const [messageId = "", index] = source.split("/");
  const schema = z.object(contentShape);
  const { parts } = await api.call(`GET /v3/messages/${encodeURIComponent(messageId)}`, {
    schema,
    ...(signal !== undefined && { signal }),
  });
  const part = parts[Number(index)];
  if (part?.type === "media" && part.url != null) return openFile(part.url);
  throw new AdapterError("rate_limited", "the upstream does not have the file");
}

/** Nothing that an upstream writes as a URL may stop the events behind it. */
function nameIn(url: string): string {
  const name = URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
