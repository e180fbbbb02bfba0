import "server-only";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Beside the guides, where GitHub finds them at the same path. */
const FOLDER = path.resolve("docs/images");
const SIZE = /^<svg [^>]*\bwidth="(\d+)" height="(\d+)"/;

/** An image of the guides. */
export interface GuideImage {
  svg: string;
  /** The size in pixels at which the image is shown where there is room. */
  width: number;
  height: number;
  /** Changes with the content. The URL of an image contains it, so that browsers can keep the image. */
  version: string;
}

/** Reads an image of the guides, such as `android-network.svg`. Returns null when the image does not exist. */
export function readGuideImage(name: string): GuideImage | null {
  if (!/^[a-z0-9-]+\.svg$/.test(name)) return null;
  const file = path.join(FOLDER, name);
  if (!existsSync(file)) return null;
  const svg = readFileSync(file, "utf8");
  const [, width, height] = SIZE.exec(svg) ?? [];
  if (width === undefined)
    throw new Error(`${name} must begin with an svg element with a width and a height`);
  const version = createHash("sha256").update(svg).digest("hex").slice(0, 12);
  return { svg, width: Number(width), height: Number(height), version };
}
