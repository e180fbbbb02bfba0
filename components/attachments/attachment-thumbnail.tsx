"use client";

import { useState } from "react";
import { familyIcon } from "@/components/attachments/describe-file";
import { cn } from "@/lib/cn";

type AttachmentThumbnailProps = {
  file: { id: string; family: string; preview: string | null };
  className?: string;
};

/** A thumbnail of a file, or the icon of its type. */
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
        // biome-ignore lint/performance/noImgElement: a small thumbnail from the same server
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
