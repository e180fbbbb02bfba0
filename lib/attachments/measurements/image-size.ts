import "server-only";
import { MAX_PIXELS } from "@/lib/attachments/file-types/file-limits";

const SIDE_BYTES = 20;

export interface ImageSize {
  width: number;
  height: number;
}

/**
 * The size of an image, read from its header; null if it can't be read. `contentType` is the type detected from its
 * bytes.
 */
export async function imageSize(image: Buffer, contentType: string): Promise<ImageSize | null> {
  return contentType === "image/heic" || contentType === "image/heif" ? heifSize(image) : sizeByHeader(image);
}

async function sizeByHeader(image: Buffer): Promise<ImageSize | null> {
  const { default: sharp } = await import("sharp");
  try {
    const { width, height } = await sharp(image, { limitInputPixels: MAX_PIXELS }).metadata();
    return { width, height };
  } catch {
    return null;
  }
}

/**
 * The size of a HEIC image; null when the file does not state it. The file has several size boxes ("ispe"): the largest
 * is the image, the others are its tiles and its thumbnail.
 */
export function heifSize(image: Buffer): ImageSize | null {
  let largest: ImageSize | null = null;
  for (let at = image.indexOf("ispe"); at !== -1; at = image.indexOf("ispe", at + 4)) {
    if (at < 4 || at + 16 > image.length || image.readUInt32BE(at - 4) !== SIDE_BYTES) continue;
    const size = { width: image.readUInt32BE(at + 8), height: image.readUInt32BE(at + 12) };
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
