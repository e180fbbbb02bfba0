import "server-only";
import type { InAppCard, InPart, InText } from "@/lib/adapters/transports/inbound";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import {
  type StoredAppCardPart,
  StoredAppCardPart as StoredCard,
} from "@/lib/messaging/content/app-card-part";
import { toStoredMedia } from "@/lib/messaging/content/media-part";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { toStoredFile } from "@/lib/messaging/content/stored-file";
import type { StoredTextPart } from "@/lib/messaging/content/text-part";
import { findRangeError } from "@/lib/messaging/content/text-range";

/** The context for reading a message: the line's own number, and whether its service reports mentions. */
interface Seen {
  own: string;
  reportsMentions: boolean;
}

/**
 * Converts a received part for storage. `file` is the row of its file. Returns null when the part can't be displayed.
 */
export function toReceivedPart(part: InPart, file: AttachmentRow | null, seen: Seen): StoredPart | null {
  switch (part.type) {
    case "text":
      return toReceivedText(part, seen);
    case "media":
      return file === null ? null : toStoredMedia(file, isSticker(part.sticker, file));
    case "link":
      return { type: "link", value: part.url };
    case "app_card":
      return toReceivedCard(part, file);
    case "poll":
      // A poll's options have their own rows.
      return null;
  }
}

function isSticker(sticker: boolean | undefined, file: AttachmentRow): boolean {
  return sticker === true && file.content_type.startsWith("image/");
}

// Only iMessage senders produce mentions (docs/contract.md, section 6.7). Invalid ranges are omitted.
function toReceivedText({ value, mentions = [] }: InText, { own, reportsMentions }: Seen): StoredTextPart {
  const fitting = mentions.flatMap(({ handle, range: [start, end] }) => {
    const range: [number, number] = [start, end];
    return findRangeError(value, [{ range }]) === null ? { handle, is_me: handle === own, range } : [];
  });
  return {
    type: "text",
    value,
    text_decorations: null,
    inline_stickers: null,
    mentions: reportsMentions && fitting.length > 0 ? fitting : null,
  };
}

// Other apps can send arbitrary cards. A card that does not match the specification is stored as its text.
function toReceivedCard(
  part: InAppCard,
  image: AttachmentRow | null,
): StoredAppCardPart | StoredTextPart | null {
  const { app, layout, fallbackText, url } = part;
  const card = StoredCard.safeParse({
    type: "imessage_app",
    app: {
      bundle_id: app.bundleId,
      name: app.name,
      team_id: app.teamId,
      ...(app.appStoreId !== undefined && { app_store_id: app.appStoreId }),
    },
    layout,
    image: image === null ? null : toStoredFile(image),
    fallback_text: fallbackText,
    interactive: true,
    url,
  });
  if (card.success) return card.data;
  const value = fallbackText ?? layout.caption ?? url;
  return value === "" ? null : toReceivedText({ type: "text", value }, { own: "", reportsMentions: false });
}
