import type { PhoneMessage } from "@/lib/simulator/phones/phone-views";

/** A message in a few words, for lists and quotes. */
export function describeMessage({ kind, parts, sticker_parts, is_unsent }: PhoneMessage): string {
  if (is_unsent) return "Unsent message";
  if (kind === "poll") return "Poll";
  if (kind === "voice_memo") return "Voice memo";
  const [part] = parts;
  switch (part?.type) {
    case undefined:
      return "Message deleted";
    case "text":
      return part.value;
    case "media":
      if (sticker_parts.includes(0)) return "Sticker";
      return part.mime_type.startsWith("image/") ? "Photo" : part.filename;
    case "imessage_app":
      return part.layout.caption || part.fallback_text || part.app.name;
    case "link":
      return part.value;
    default:
      return "App clip";
  }
}
