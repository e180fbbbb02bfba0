import { MediaPart } from "@/components/chats/parts/media-part";
import { StickerPart } from "@/components/chats/parts/sticker-part";
import { VoiceMemo } from "@/components/chats/parts/voice-memo";
import type { MessageView } from "@/lib/messaging/messages/message-view";

type Media = Extract<MessageView["parts"][number], { type: "media" }>;

type MediaContentProps = { part: Media; isSticker: boolean; message: MessageView };

/** A file of a message: a sticker, a voice memo, an image, a player or a download. */
export function MediaContent({ part, isSticker, message }: MediaContentProps) {
  if (part.status !== undefined) return <LateFile part={part} />;
  if (isSticker) return <StickerPart filename={part.filename} url={part.url} />;
  if (message.kind === "voice_memo") {
    return <VoiceMemo url={part.url} mimeType={part.mime_type} durationMs={message.duration_ms} />;
  }
  return (
    <MediaPart
      filename={part.filename}
      mimeType={part.mime_type}
      sizeBytes={part.size_bytes}
      url={part.url}
      status={part.status}
    />
  );
}

// Without bytes, a sticker and a voice memo look like any file.
function LateFile({ part }: { part: Media }) {
  const { filename, mime_type, size_bytes, url, status } = part;
  return (
    <MediaPart filename={filename} mimeType={mime_type} sizeBytes={size_bytes} url={url} status={status} />
  );
}
