import "server-only";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { runTool, type ToolRun } from "@/lib/attachments/conversions/run-tool";
import { withTempFile } from "@/lib/attachments/conversions/with-temp-file";
import { MAX_PIXELS, MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";

/**
 * Arguments of ffmpeg that precede its input: a file can't make it open other files or URLs, and an image can't have
 * more pixels than other decoders allow. One thread each, so that its memory limit depends only on the data it decodes.
 */
export const FFMPEG_GUARDS = [
  ..."-nostdin -hide_banner -loglevel error -protocol_whitelist file,pipe -threads 1 -max_pixels".split(" "),
  String(MAX_PIXELS),
];

export interface Conversion {
  contentType: string;
  extension: string;
  /** null when the required tool is not installed. Rejects when the file is broken. */
  run(body: ByteStream, tool: ToolRun): Promise<Buffer | null>;
}

/** The conversions that change bytes, by content type (docs/contract.md, section 10.5). */
export const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map([
  ["image/tiff", { contentType: "image/jpeg", extension: "jpg", run: (body) => withTempFile(body, toJpeg) }],
  [
    "audio/x-caf",
    {
      contentType: "audio/mp4",
      extension: "mp4",
      run: (body, tool) => withTempFile(body, (source, folder) => encodeSound("caf", source, folder, tool)),
    },
  ],
]);

async function toJpeg(source: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  return sharp(source, { limitInputPixels: MAX_PIXELS, failOn: "error" })
    .rotate()
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Encodes audio as MP4 (AAC). Returns null when ffmpeg is not installed. Rejects when the file can't be read. */
export async function encodeSound(
  demuxer: string,
  source: string,
  folder: string,
  tool: ToolRun,
): Promise<Buffer | null> {
  const target = path.join(folder, "target.mp4");
  const args = ["-f", demuxer, "-i", source, "-vn", "-c:a", "aac", "-b:a", "96k", "-f", "mp4", target];
  if (!(await runTool("ffmpeg", [...FFMPEG_GUARDS, ...args], tool))) return null;
  if ((await stat(target)).size > MAX_UPLOAD_BYTES) throw new Error("the converted file is too large");
  return readFile(target);
}
