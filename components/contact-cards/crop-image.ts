const MAX_PICTURE_PIXELS = 800;
const MAX_ZOOM = 4;
const JPEG_QUALITY = 0.9;

/** A square of a picture, in its own pixels. */
export interface Square {
  x: number;
  y: number;
  width: number;
}

interface ImageSize {
  width: number;
  height: number;
}

/** Why a picture cannot be used where at least so many pixels a side are needed, or null when it can. */
export function refuseImage({ width, height }: ImageSize, leastPixels: number): string | null {
  if (Math.min(width, height) >= leastPixels) return null;
  const least = `${leastPixels} by ${leastPixels}`;
  return `The picture has ${width} by ${height} pixels; at least ${least} are needed. Choose a larger one.`;
}

/** How far one may zoom in so that what is cut out still has enough pixels. */
export function zoomMost({ width, height }: ImageSize, leastPixels: number): number {
  return Math.max(1, Math.min(MAX_ZOOM, Math.min(width, height) / leastPixels));
}

/** Reads the picture in a file. Throws when the browser cannot. */
export async function readImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** The square of a picture as a JPEG data URL, at most 800 pixels wide and never below the least. */
export function cropImage(image: HTMLImageElement, { x, y, width }: Square, leastPixels: number): string {
  const side = Math.max(leastPixels, Math.min(MAX_PICTURE_PIXELS, Math.round(width)));
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser has no canvas");
  // What is clear becomes white: a JPEG knows no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.drawImage(image, x, y, width, width, 0, 0, side, side);
  return canvas.toDataURL("image/jpeg", JPEG_QUALITY);
}
