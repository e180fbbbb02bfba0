import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { storedImagePath } from "@/components/chats/parts/stored-file-path";

type ContentCardProps = {
  icon: LucideIcon;
  /** The name of the app. */
  name: string;
  image: string | null;
  imageText?: string;
  /** The link of the card. Only http and https URLs get an Open link. */
  url: string;
  children: ReactNode;
};

/** A card in a message: image, text, app name and link. */
export function ContentCard({ icon: Icon, name, image, imageText, url, children }: ContentCardProps) {
  const shown = storedImagePath(image);
  return (
    <div className="wrap-anywhere w-72 max-w-full overflow-hidden whitespace-normal rounded-lg border bg-card text-card-foreground">
      {shown !== null && (
        // biome-ignore lint/performance/noImgElement: a file behind a signed URL
        <img
          src={shown}
          alt={imageText || `Card image of ${name}`}
          loading="lazy"
          className="max-h-44 w-full object-cover"
        />
      )}
      <div className="flex flex-col gap-1 p-3">
        {imageText && <p className="text-muted-foreground text-xs">{imageText}</p>}
        {children}
        {image !== null && shown === null && (
          <a
            href={image}
            target="_blank"
            rel="noreferrer"
            className="text-muted-foreground text-xs underline underline-offset-2"
          >
            View image
          </a>
        )}
      </div>
      <div className="flex items-center gap-2 border-t px-3 py-2 text-muted-foreground text-xs">
        <Icon className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {/^https?:/.test(url) && (
          <a href={url} target="_blank" rel="noreferrer" className="shrink-0 underline underline-offset-2">
            Open<span className="sr-only"> {name} in a new tab</span>
          </a>
        )}
      </div>
    </div>
  );
}
