"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { familyIcon } from "@/components/attachments/describe-file";
import { ownAddress } from "@/components/chats/own-address";
import { Button } from "@/components/ui/button";
import type { ListedAttachment } from "@/lib/attachments/listed-attachment";

/** What every browser shows by itself. */
const SHOWN_IMAGES = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "image/svg+xml",
  "image/bmp",
]);

const frame = "max-h-120 max-w-full rounded-lg object-contain";

/** A file as far as a browser can show it, and always a way to save it. */
export function AttachmentPreview({ file }: { file: ListedAttachment }) {
  if (file.url === null) return null;
  const address = ownAddress(file.url);
  return (
    <section
      aria-label="Preview"
      className="flex min-w-0 flex-col items-center gap-3 rounded-xl border bg-card p-4 shadow-xs"
    >
      <Shown key={file.id} file={file} address={address} />
      <Button asChild variant="outline" size="sm">
        <a href={address} download={file.filename}>
          <Download aria-hidden="true" />
          Download
        </a>
      </Button>
    </section>
  );
}

type ShownProps = { file: ListedAttachment; address: string };

function Shown({ file, address }: ShownProps) {
  const [failed, setFailed] = useState(false);
  const onError = () => setFailed(true);
  const { family, content_type, filename, id } = file;
  if (failed) return <NotShown file={file} />;
  if (family === "image" && (SHOWN_IMAGES.has(content_type) || file.preview === "picture")) {
    const source = SHOWN_IMAGES.has(content_type) ? address : `/api/attachments/${id}/preview`;
    // biome-ignore lint/performance/noImgElement: a file of any size, behind an address of its own
    return <img src={source} alt={filename} onError={onError} className={frame} />;
  }
  if (family === "video") {
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
      <video
        src={address}
        poster={file.preview === "picture" ? `/api/attachments/${id}/preview` : undefined}
        controls
        preload="none"
        aria-label={filename}
        onError={onError}
        className={frame}
      />
    );
  }
  if (family === "audio") {
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
      <audio
        src={file.preview === "sound" ? `/api/attachments/${id}/preview` : address}
        controls
        preload="metadata"
        aria-label={filename}
        onError={onError}
        className="w-full max-w-md"
      />
    );
  }
  return <NotShown file={file} />;
}

function NotShown({ file: { content_type, family } }: { file: ListedAttachment }) {
  const Icon = familyIcon(family);
  const words =
    family === "document"
      ? "Documents are not shown here: download it to read it."
      : `${content_type} cannot be shown here: this browser or this server lacks the decoder, or the file is broken. Download it to open it.`;
  return (
    <div className="flex max-w-sm flex-col items-center gap-3 py-8 text-center text-muted-foreground">
      <Icon aria-hidden="true" className="size-8" strokeWidth={1.5} />
      <p className="text-pretty">{words}</p>
    </div>
  );
}
