import { Download } from "lucide-react";
import { familyIcon } from "@/components/attachments/describe-file";
import { FilePreview } from "@/components/attachments/file-preview";
import { storedFilePath } from "@/components/chats/parts/stored-file-path";
import { Button } from "@/components/ui/button";
import type { AttachmentView } from "@/lib/attachments/attachment-view";

/** A preview of a file if the browser can show it, and a download link. */
export function AttachmentPreview({ file }: { file: AttachmentView }) {
  if (file.url === null) return null;
  const path = storedFilePath(file.url);
  const hasPoster = file.family === "video" && file.preview === "image";
  return (
    <section
      aria-label="Preview"
      className="flex min-w-0 flex-col items-center gap-3 rounded-xl border bg-card p-4 shadow-xs"
    >
      <FilePreview
        key={file.id}
        filename={file.filename}
        mimeType={file.content_type}
        path={path}
        poster={hasPoster ? `/api/attachments/${file.id}/preview` : undefined}
        fallback={<NotShown file={file} />}
        className="max-h-120"
      />
      <Button asChild variant="outline" size="sm">
        <a href={path} download={file.filename}>
          <Download aria-hidden="true" />
          Download
        </a>
      </Button>
    </section>
  );
}

function NotShown({ file: { content_type, family } }: { file: AttachmentView }) {
  const Icon = familyIcon(family);
  const words =
    family === "document"
      ? "Documents have no preview. Download the file to read it."
      : `This ${content_type} file has no preview: the browser and the server can't decode it, or the file is damaged. Download the file to open it.`;
  return (
    <div className="flex max-w-sm flex-col items-center gap-3 py-8 text-center text-muted-foreground">
      <Icon aria-hidden="true" className="size-8" strokeWidth={1.5} />
      <p className="text-pretty">{words}</p>
    </div>
  );
}
