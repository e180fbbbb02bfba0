"use client";

import { useState } from "react";
import { FilePreview } from "@/components/attachments/file-preview";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";

export type ImageViewerProps = { filename: string; mimeType: string; path: string };

/** Opens an image of a message in the size of the window. Escape closes it. */
export function ImageViewer({ filename, mimeType, path, trigger }: ImageViewerProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="w-auto max-w-[calc(100vw-1rem)] sm:max-w-[calc(100vw-4rem)]">
        <DialogTitle className="wrap-anywhere pr-8 text-sm">{filename}</DialogTitle>
        <DialogDescription className="sr-only">The image in full size</DialogDescription>
        <FilePreview
          filename={filename}
          mimeType={mimeType}
          path={path}
          fallback={<p>This browser can't show the image. Download the file to open it.</p>}
          className="max-h-[80dvh]"
        />
      </DialogContent>
    </Dialog>
  );
}
