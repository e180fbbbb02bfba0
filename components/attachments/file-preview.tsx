"use client";

import { type ReactNode, useState } from "react";
import { previewAddress } from "@/components/attachments/preview-address";
import { cn } from "@/lib/cn";

type FilePreviewProps = {
  filename: string;
  mimeType: string;
  /** The path of the file on our own host. */
  path: string;
  /** Shown before a video plays. */
  poster?: string | undefined;
  /** In place of what cannot be shown. */
  fallback: ReactNode;
  className?: string;
};

/** A picture, or a player; what neither this browser nor this server can decode says so. */
export function FilePreview({ filename, mimeType, path, poster, fallback, className }: FilePreviewProps) {
  const [failed, setFailed] = useState(false);
  const shared = { src: previewAddress(path, mimeType), onError: () => setFailed(true) };
  const image = cn("max-h-80 max-w-full rounded-lg object-contain", className);
  if (failed) return fallback;
  if (mimeType.startsWith("image/")) {
    // biome-ignore lint/performance/noImgElement: a file of any size, behind a signed address
    return <img {...shared} alt={filename} loading="lazy" className={image} />;
  }
  if (mimeType.startsWith("video/")) {
    return (
      <video
        {...shared}
        controls
        poster={poster}
        preload={poster === undefined ? "metadata" : "none"}
        aria-label={filename}
        className={image}
      />
    );
  }
  if (mimeType.startsWith("audio/")) {
    return <audio {...shared} controls preload="none" aria-label={filename} className="w-64 max-w-full" />;
  }
  return fallback;
}
