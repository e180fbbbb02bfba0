import { Contact, Download, FileText, FileX } from "lucide-react";
import { FilePreview } from "@/components/attachments/file-preview";
import { ImageViewerButton } from "@/components/chats/parts/image-viewer-button";
import { storedFilePath } from "@/components/chats/parts/stored-file-path";
import { formatBytes } from "@/components/data/format-bytes";

type MediaPartProps = {
  filename: string;
  mimeType: string;
  sizeBytes: number;
  /** null once the file was deleted, and while its bytes are not there. */
  url: string | null;
  /** Set while the bytes of a received file are not there. */
  status?: "pending" | "failed" | undefined;
};

const NOTES = { pending: "still arriving", failed: "could not be received" } as const;

/** A file in a message: an image, a player, or its name and size, always with a download link. */
export function MediaPart({ filename, mimeType, sizeBytes, url, status }: MediaPartProps) {
  const isContact = mimeType === "text/vcard";
  if (url === null) {
    const note = status === undefined ? "deleted" : NOTES[status];
    return <FileChip filename={filename} note={note} isContact={isContact} />;
  }
  const address = storedFilePath(url);
  const preview = (
    <FilePreview
      key={address}
      filename={filename}
      mimeType={mimeType}
      path={address}
      fallback={<NotShown mimeType={mimeType} />}
    />
  );
  return (
    <span className="flex flex-col gap-1.5">
      {mimeType.startsWith("image/") ? (
        <ImageViewerButton filename={filename} mimeType={mimeType} path={address}>
          {preview}
        </ImageViewerButton>
      ) : (
        preview
      )}
      <FileChip filename={filename} note={formatBytes(sizeBytes)} address={address} isContact={isContact} />
    </span>
  );
}

// Documents have no preview, so only missing media needs an explanation.
function NotShown({ mimeType }: { mimeType: string }) {
  if (!/^(image|video|audio)\//.test(mimeType)) return null;
  return (
    <span className="text-xs italic">
      This browser can't show {mimeType}, or the file is damaged. Download the file to open it.
    </span>
  );
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
          className="shrink-0 rounded-sm p-1"
          aria-label={`Download ${filename}`}
        >
          <Download className="size-4" aria-hidden="true" />
        </a>
      )}
    </span>
  );
}
