import "server-only";
import type { MessageContent } from "@/lib/messaging/content/message-content";
import type { RequestPart, StoredPart } from "@/lib/messaging/content/message-part";
import { urlOf } from "@/lib/messaging/content/stored-file";

/**
 * Replaces the URLs in a message's content by the files that were stored for it, so that nothing is downloaded again when
 * the message is due. `parts` = the stored parts of the same content.
 */
export function pinFiles(content: MessageContent, parts: readonly StoredPart[]): MessageContent {
  if (content.parts === undefined) return content;
  return { ...content, parts: content.parts.map((part, index) => pinFile(part, parts[index])) };
}

function pinFile(part: RequestPart, stored: StoredPart | undefined): RequestPart {
  if (part.type === "media" && stored?.type === "media" && stored.attachment_id !== null) {
    return { type: "media", attachment_id: stored.attachment_id, sticker: part.sticker };
  }
  if (part.type === "text" && stored?.type === "text" && stored.inline_stickers !== null) {
    const stickers = stored.inline_stickers.flatMap(({ range, attachment_id }) =>
      attachment_id === null ? [] : [{ range, attachment_id }],
    );
    return { ...part, inline_stickers: stickers };
  }
  if (part.type === "imessage_app" && stored?.type === "imessage_app" && stored.image !== null) {
    const image_url = urlOf(stored.image, "webhook") ?? undefined;
    return { ...part, layout: { ...part.layout, image_url } };
  }
  return part;
}
