const MAX_IMAGE_PIXELS = 800;
const MAX_ZOOM = 4;
const JPEG_QUALITY = 0.9;

/** A square area of an image, in image pixels. */
export interface Square {
  x: number;
  y: number;
  width: number;
}

interface ImageSize {
  width: number;
  height: number;
}

/** Why an image is too small for `leastPixels` per side, or null if it is large enough. */
export function refuseImage({ width, height }: ImageSize, leastPixels: number): string | null {
  if (Math.min(width, height) >= leastPixels) return null;
  const least = `${leastPixels} by ${leastPixels}`;
  return `The image has ${width} by ${height} pixels, but at least ${least} are required. Choose a larger image.`;
}

/** The maximum zoom at which the crop still has enough pixels. */
export function maxZoomOf({ width, height }: ImageSize, leastPixels: number): number {
  return Math.max(1, Math.min(MAX_ZOOM, Math.min(width, height) / leastPixels));
}

/** Decodes the image at a URL. Throws if the browser can't decode it. */
export async function readImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** Crops an image to a JPEG data URL, at most 800 pixels wide and at least `leastPixels`. */
export function cropImage(image: HTMLImageElement, { x, y, width }: Square, leastPixels: number): string {
  const side = Math.max(leastPixels, Math.min(MAX_IMAGE_PIXELS, Math.round(width)));
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser has no canvas");
  // JPEG has no transparency, so transparent pixels become white.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.drawImage(image, x, y, width, width, 0, 0, side, side);
  return canvas.toDataURL("image/jpeg", JPEG_QUALITY);
}
