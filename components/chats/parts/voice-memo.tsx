import { Mic } from "lucide-react";
import { previewUrl } from "@/components/attachments/preview-url";
import { formatDuration } from "@/components/chats/parts/format-duration";
import { storedFilePath } from "@/components/chats/parts/stored-file-path";

type VoiceMemoProps = {
  /** null once the file was deleted. */
  url: string | null;
  mimeType: string;
  durationMs: number | null;
};

/** A voice memo with its player. The audio loads only when played. */
export function VoiceMemo({ url, mimeType, durationMs }: VoiceMemoProps) {
  const duration = formatDuration(durationMs);
  return (
    <div className="flex w-72 max-w-full flex-col gap-1.5">
      <p className="flex items-center gap-2 text-xs">
        <Mic className="size-4 shrink-0" aria-hidden="true" />
        <span className="font-medium">Voice memo</span>
        {duration !== "" && <span className="tabular-nums">{duration}</span>}
        {url === null && <span>deleted</span>}
      </p>
      {url !== null && (
        // biome-ignore lint/a11y/useMediaCaption: voice memos have no captions
        <audio
          src={previewUrl(storedFilePath(url), mimeType)}
          controls
          preload="none"
          aria-label={["Voice memo", duration].filter(Boolean).join(", ")}
          className="w-full"
        />
      )}
    </div>
  );
}
