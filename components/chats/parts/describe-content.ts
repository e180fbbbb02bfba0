import { formatDuration } from "@/components/chats/parts/format-duration";
import type { MessageView } from "@/lib/messaging/messages/message-view";

/** A one-line summary of a message part, for reply quotes. */
export function describeContent(message: MessageView, partIndex: number): string {
  if (message.poll !== null) return `Poll: ${message.poll.options.map(({ text }) => text).join(", ")}`;
  if (message.kind === "voice_memo") {
    return ["Voice memo", formatDuration(message.duration_ms)].filter(Boolean).join(", ");
  }
  const part = message.parts[partIndex] ?? message.parts[0];
  switch (part?.type) {
    case undefined:
      return "No content";
    case "text":
    case "link":
      return part.value;
    case "media":
      return message.sticker_parts.includes(partIndex) ? "Sticker" : part.filename;
    case "app_clip":
      return part.title ?? part.value;
    case "imessage_app":
      return part.layout.caption || part.fallback_text || part.app.name;
  }
}
