const PICTURE_MOST_PIXELS = 800;
const ZOOM_MOST = 4;
const JPEG_QUALITY = 0.9;

/** A square of a picture, in its own pixels. */
export interface Square {
  x: number;
  y: number;
  width: number;
}

interface PictureSize {
  width: number;
  height: number;
}

/** Why a picture cannot be used where at least so many pixels a side are needed, or null when it can. */
export function refusePicture({ width, height }: PictureSize, leastPixels: number): string | null {
  if (Math.min(width, height) >= leastPixels) return null;
  const least = `${leastPixels} by ${leastPixels}`;
  return `The picture has ${width} by ${height} pixels; at least ${least} are needed. Choose a larger one.`;
}

/** How far one may zoom in so that what is cut out still has enough pixels. */
export function zoomMost({ width, height }: PictureSize, leastPixels: number): number {
  return Math.max(1, Math.min(ZOOM_MOST, Math.min(width, height) / leastPixels));
}

/** Reads the picture in a file. Throws when the browser cannot. */
export async function readPicture(url: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  return picture;
}

/** The square of a picture as a JPEG data URL, at most 800 pixels wide and never below the least. */
export function cropPicture(picture: HTMLImageElement, { x, y, width }: Square, leastPixels: number): string {
  const side = Math.max(leastPixels, Math.min(PICTURE_MOST_PIXELS, Math.round(width)));
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser has no canvas");
  // What is clear becomes white: a JPEG knows no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.drawImage(picture, x, y, width, width, 0, 0, side, side);
  return canvas.toDataURL("image/jpeg", JPEG_QUALITY);
}
