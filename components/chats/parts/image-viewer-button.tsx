"use client";

import type { ReactNode } from "react";
import type { ImageViewerProps } from "@/components/chats/parts/image-viewer";
import { LazyOpen } from "@/components/data/lazy-open";

const load = async () => (await import("@/components/chats/parts/image-viewer")).ImageViewer;

/** A small image of a message, which opens in the size of the window. */
export function ImageViewerButton({ children, ...image }: ImageViewerProps & { children: ReactNode }) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={image}
      trigger={
        <button
          type="button"
          aria-label={`Open ${image.filename}`}
          className="cursor-zoom-in rounded-lg text-left"
        >
          {children}
        </button>
      }
    />
  );
}
