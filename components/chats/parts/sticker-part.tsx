import { Sticker } from "lucide-react";
import { storedImagePath } from "@/components/chats/parts/stored-file-path";

/** A sticker, or its name once the file is deleted. */
export function StickerPart({ filename, url }: { filename: string; url: string | null }) {
  const image = storedImagePath(url);
  if (image === null) {
    return (
      <span className="flex items-center gap-2 text-xs">
        <Sticker className="size-4 shrink-0" aria-hidden="true" />
        Sticker {filename}, deleted
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: a file behind a signed URL
    <img
      src={image}
      alt={`Sticker ${filename}`}
      title={filename}
      loading="lazy"
      className="size-28 max-w-full object-contain"
    />
  );
}
