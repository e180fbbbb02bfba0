import { Contact, Download, FileText, FileX } from "lucide-react";
import { ownAddress } from "@/components/chats/own-address";
import { formatBytes } from "@/components/data/format-bytes";

type MediaPartProps = {
  filename: string;
  mimeType: string;
  sizeBytes: number;
  /** null once the file was deleted. */
  url: string | null;
};

const SHOWN_IMAGES = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "image/bmp",
  "image/x-icon",
  "image/svg+xml",
]);

/** A file in a message: a picture, a player, or its name and size; always with a way to save it. */
export function MediaPart({ filename, mimeType, sizeBytes, url }: MediaPartProps) {
  const isContact = mimeType === "text/vcard";
  if (url === null) return <FileChip filename={filename} note="deleted" isContact={isContact} />;
  const address = ownAddress(url);
  return (
    <span className="flex flex-col gap-1.5">
      <Preview filename={filename} mimeType={mimeType} address={address} />
      <FileChip filename={filename} note={formatBytes(sizeBytes)} address={address} isContact={isContact} />
    </span>
  );
}

function Preview({ filename, mimeType, address }: { filename: string; mimeType: string; address: string }) {
  if (SHOWN_IMAGES.has(mimeType)) {
    return (
      // biome-ignore lint/performance/noImgElement: a file of any size, behind a signed address
      <img
        src={address}
        alt={filename}
        loading="lazy"
        className="max-h-80 max-w-full rounded-lg object-contain"
      />
    );
  }
  if (mimeType.startsWith("video/")) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
      <video
        src={address}
        controls
        preload="metadata"
        aria-label={filename}
        className="max-h-80 max-w-full rounded-lg"
      />
    );
  }
  if (mimeType.startsWith("audio/")) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
      <audio src={address} controls preload="none" aria-label={filename} className="w-64 max-w-full" />
    );
  }
  return null;
}

type FileChipProps = { filename: string; note: string; address?: string; isContact: boolean };

function FileChip({ filename, note, address, isContact }: FileChipProps) {
  const Icon = address === undefined ? FileX : isContact ? Contact : FileText;
  return (
    <span className="flex min-w-0 items-center gap-2 text-xs">
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {isContact && <span className="shrink-0 font-medium">Contact card</span>}
      <span className="min-w-0 truncate">{filename}</span>
      <span className="shrink-0 tabular-nums">{note}</span>
      {address !== undefined && (
        <a
          href={address}
          download={filename}
          className="shrink-0 rounded-sm p-0.5"
          aria-label={`Download ${filename}`}
        >
          <Download className="size-4" aria-hidden="true" />
        </a>
      )}
    </span>
  );
}
