import "server-only";
import { MAX_PIXELS } from "@/lib/attachments/file-limits";

const SIDE_BYTES = 20;

export interface ImageSize {
  width: number;
  height: number;
}

/** How large a picture is, by its header; null when it has none that can be read. `contentType` is what its bytes are. */
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
 * How large a HEIC picture is; null when it does not say. Its sizes are boxes of their own ("ispe"): the largest is the
 * picture, others are its tiles and its thumbnail.
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
