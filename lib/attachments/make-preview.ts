import "server-only";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { FFMPEG_GUARDS, PIXELS_MOST } from "@/lib/attachments/convert-file";
import { inFolder } from "@/lib/attachments/in-folder";
import { previewKind } from "@/lib/attachments/preview-kinds";
import { runTool } from "@/lib/attachments/run-tool";

const SIDE_PIXELS = 640;

/** What every preview is. */
export const PREVIEW_TYPE = "image/webp";

/**
 * A small picture of a file, of a film its first frame; null when there is none of this type, or this machine lacks the
 * tool. Rejects when the file is broken.
 */
export async function makePreview(
  contentType: string,
  open: () => Promise<ByteStream>,
): Promise<Buffer | null> {
  const kind = previewKind(contentType);
  if (kind === null) return null;
  return inFolder(await open(), async (source, folder) => {
    const picture = kind.by === "sharp" ? source : await decode(kind, source, folder);
    return picture === null ? null : shrink(picture);
  });
}

type Decoded = Exclude<NonNullable<ReturnType<typeof previewKind>>, { by: "sharp" }>;

/** The path of a picture that the tool made of the file; null when the tool is not there. */
async function decode(kind: Decoded, source: string, folder: string): Promise<string | null> {
  const target = path.join(folder, "frame.jpg");
  if (kind.by === "heif") {
    if (!(await runTool("heif-convert", [source, target]))) return null;
    // A file of several pictures is written as several.
    const made = (await readdir(folder)).filter((name) => name.endsWith(".jpg")).sort();
    return path.join(folder, made[0] ?? "frame.jpg");
  }
  const frame = ["-f", kind.demuxer, "-i", source, "-an", "-frames:v", "1", "-f", "image2", target];
  return (await runTool("ffmpeg", [...FFMPEG_GUARDS, ...frame])) ? target : null;
}

async function shrink(picture: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  return sharp(picture, { limitInputPixels: PIXELS_MOST })
    .rotate()
    .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer();
}
