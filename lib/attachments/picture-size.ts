import "server-only";
import { PIXELS_MOST } from "@/lib/attachments/file-limits";

const SIDE_BYTES = 20;

export interface PictureSize {
  width: number;
  height: number;
}

/** How large a picture is, by its header; null when it has none that can be read. `contentType` is what its bytes are. */
export async function pictureSize(picture: Buffer, contentType: string): Promise<PictureSize | null> {
  return contentType === "image/heic" || contentType === "image/heif"
    ? heifSize(picture)
    : sizeByHeader(picture);
}

async function sizeByHeader(picture: Buffer): Promise<PictureSize | null> {
  const { default: sharp } = await import("sharp");
  try {
    const { width, height } = await sharp(picture, { limitInputPixels: PIXELS_MOST }).metadata();
    return { width, height };
  } catch {
    return null;
  }
}

/**
 * How large a HEIC picture is; null when it does not say. Its sizes are boxes of their own ("ispe"): the largest is the
 * picture, others are its tiles and its thumbnail.
 */
export function heifSize(picture: Buffer): PictureSize | null {
  let largest: PictureSize | null = null;
  for (let at = picture.indexOf("ispe"); at !== -1; at = picture.indexOf("ispe", at + 4)) {
    if (at < 4 || at + 16 > picture.length || picture.readUInt32BE(at - 4) !== SIDE_BYTES) continue;
    const size = { width: picture.readUInt32BE(at + 8), height: picture.readUInt32BE(at + 12) };
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
