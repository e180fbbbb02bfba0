const PICTURE_LEAST_PIXELS = 200;
const PICTURE_MOST_PIXELS = 800;
const JPEG_QUALITY = 0.9;

/** A square of a picture, in its own pixels. */
export interface Square {
  x: number;
  y: number;
  width: number;
}

/** Why a picture cannot become a card's, or null when it can. */
export function refusePicture({ width, height }: { width: number; height: number }): string | null {
  const side = Math.min(width, height);
  if (side >= PICTURE_LEAST_PIXELS) return null;
  const least = `${PICTURE_LEAST_PIXELS} by ${PICTURE_LEAST_PIXELS}`;
  return `The picture has ${width} by ${height} pixels; a card needs at least ${least}. Choose a larger one.`;
}

/** How far one may zoom in so that what is cut out still has enough pixels. */
export function zoomMost({ width, height }: { width: number; height: number }): number {
  return Math.max(1, Math.min(4, Math.min(width, height) / PICTURE_LEAST_PIXELS));
}

/** Reads the picture in a file. Throws when the browser cannot. */
export async function readPicture(url: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  return picture;
}

/** The square of a picture as a JPEG data URL, at most 800 pixels wide and never below the least a card needs. */
export function cropPicture(picture: HTMLImageElement, { x, y, width }: Square): string {
  const side = Math.max(PICTURE_LEAST_PIXELS, Math.min(PICTURE_MOST_PIXELS, Math.round(width)));
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
