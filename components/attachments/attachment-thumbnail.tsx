"use client";

import { useState } from "react";
import { familyIcon } from "@/components/attachments/describe-file";
import { cn } from "@/lib/cn";

type AttachmentThumbnailProps = {
  file: { id: string; family: string; preview: string | null };
  className?: string;
};

/** A small picture of a file, or the icon of its kind where there is none. */
export function AttachmentThumbnail({ file, className }: AttachmentThumbnailProps) {
  const [failed, setFailed] = useState(false);
  const Icon = familyIcon(file.family);
  return (
    <span
      className={cn(
        "flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-md border bg-muted text-muted-foreground",
        className,
      )}
    >
      {file.preview === "image" && !failed ? (
        // biome-ignore lint/performance/noImgElement: made by our own server, small already
        <img
          src={`/api/attachments/${file.id}/preview`}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      ) : (
        <Icon aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      )}
    </span>
  );
}
