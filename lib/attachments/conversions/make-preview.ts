import "server-only";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { encodeSound, FFMPEG_GUARDS } from "@/lib/attachments/conversions/convert-file";
import { runTool, type ToolRun } from "@/lib/attachments/conversions/run-tool";
import { withTempFile } from "@/lib/attachments/conversions/with-temp-file";
import { MAX_PIXELS } from "@/lib/attachments/file-types/file-limits";
import { type Preview, previewKind } from "@/lib/attachments/file-types/preview-kinds";
import { heifSize } from "@/lib/attachments/measurements/image-size";

const SIDE_PIXELS = 640;
/** CPU seconds of a program: an hour of audio takes less. */
const TOOL_SECONDS = 20;

/** The types previews have. */
export const PREVIEW_TYPES: Readonly<Record<Preview, string>> = { image: "image/webp", audio: "audio/mp4" };

/**
 * The preview of a file: a small image (of a video, its first frame), or audio in a format that browsers play. null
 * when files of this type have no preview, or this machine lacks the tool. Rejects when the file is broken.
 */
export async function makePreview(
  contentType: string,
  open: () => Promise<ByteStream>,
  { accountId, signal }: Omit<ToolRun, "limits">,
): Promise<Buffer | null> {
  const kind = previewKind(contentType);
  if (kind === null) return null;
  const tool = { accountId, ...(signal && { signal }), limits: { seconds: TOOL_SECONDS } };
  return withTempFile(await open(), async (source, folder) => {
    if (kind.type === "sharp") return shrink(source);
    if (kind.type === "heif") return photo(source, folder, tool);
    return kind.makes === "audio"
      ? encodeSound(kind.demuxer, source, folder, tool)
      : firstFrame(kind.demuxer, source, folder, tool);
  });
}

async function photo(source: string, folder: string, tool: ToolRun): Promise<Buffer | null> {
  // heif-convert has no pixel limit.
  const size = heifSize(await readFile(source));
  if (size !== null && size.width * size.height > MAX_PIXELS) {
    throw new Error(`an image of ${size.width} x ${size.height} pixels is too large to decode`);
  }
  if (!(await runTool("heif-convert", [source, path.join(folder, "photo.jpg")], tool))) return null;
  // A file with several images is converted to several files.
  const [first = "photo.jpg"] = (await readdir(folder)).filter((name) => name.endsWith(".jpg")).sort();
  return shrink(path.join(/* turbopackIgnore: true */ folder, first));
}

async function firstFrame(
  demuxer: string,
  source: string,
  folder: string,
  tool: ToolRun,
): Promise<Buffer | null> {
  const target = path.join(folder, "frame.jpg");
  const args = ["-f", demuxer, "-i", source, "-an", "-frames:v", "1", "-f", "image2", target];
  return (await runTool("ffmpeg", [...FFMPEG_GUARDS, ...args], tool)) ? shrink(target) : null;
}

async function shrink(image: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  return sharp(image, { limitInputPixels: MAX_PIXELS })
    .rotate()
    .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer();
}
