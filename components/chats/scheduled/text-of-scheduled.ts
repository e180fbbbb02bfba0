import type { ScheduledMessage } from "@/lib/messaging/scheduled/scheduled-message";

/** What a scheduled message says, as far as text can say it. */
export function textOfScheduled({
  parts,
  is_voice_memo,
}: Pick<ScheduledMessage, "parts" | "is_voice_memo">): string {
  if (is_voice_memo) return "Voice memo";
  const texts = parts.map((part) => {
    if (part.type === "text") return part.value;
    if (part.type === "media") return part.filename;
    return part.type === "imessage_app" ? "Card" : part.value;
  });
  return texts.join("\n");
}
