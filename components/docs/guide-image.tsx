import type { Tokens } from "marked";
import { readGuideImage } from "@/lib/docs/guides/guide-images";

const PREFIX = "/docs/images/";

/** An image of a guide. Its size is known before it is loaded, so that the text does not move. */
export function GuideImage({ token: { href, text } }: { token: Tokens.Image }) {
  const image = href.startsWith(PREFIX) ? readGuideImage(href.slice(PREFIX.length)) : null;
  if (image === null) throw new Error(`a guide shows an image that does not exist: ${href}`);
  if (text === "") throw new Error(`a guide shows an image without a description: ${href}`);
  const { width, height, version } = image;
  return (
    // biome-ignore lint/performance/noImgElement: Next's image optimization is off
    <img
      src={`${href}?v=${version}`}
      alt={text}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className="rounded-xl"
    />
  );
}
