"use client";

import { type ReactNode, useState } from "react";
import { previewUrl } from "@/components/attachments/preview-url";
import { cn } from "@/lib/cn";

type FilePreviewProps = {
  filename: string;
  mimeType: string;
  /** The path of the file on the dashboard's host. */
  path: string;
  /** The poster image of a video. */
  poster?: string | undefined;
  /** Shown if the file has no preview. */
  fallback: ReactNode;
  className?: string;
};

/** An image or a player, or `fallback` if the file can't be decoded. */
export function FilePreview({ filename, mimeType, path, poster, fallback, className }: FilePreviewProps) {
  const [failed, setFailed] = useState(false);
  const shared = { src: previewUrl(path, mimeType), onError: () => setFailed(true) };
  const image = cn("max-h-80 max-w-full rounded-lg object-contain", className);
  if (failed) return fallback;
  if (mimeType.startsWith("image/")) {
    // biome-ignore lint/performance/noImgElement: a file of any size, behind a signed URL
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
