import type { StoredPart } from "@/lib/messaging/content/message-part";
import { redactWalletLinks } from "@/lib/platform/rights/redact-wallet-links";

/** A text by which a message is found. */
export interface SearchableText {
  type: "text" | "file" | "link" | "card" | "poll";
  text: string;
}

/** The content of a message, as stored. */
export interface SearchableContent {
  parts: readonly StoredPart[];
  /** The texts of a poll's options. */
  options: readonly string[];
}

/** The texts of a message that people can read: its texts, file names, links, cards and the options of a poll. */
export function searchableTexts({ parts, options }: SearchableContent): SearchableText[] {
  const texts = parts.flatMap(textsOfPart);
  if (options.length > 0) texts.push({ type: "poll", text: options.join(" · ") });
  return texts.map(({ type, text }) => ({ type, text: redactWalletLinks(text) }));
}

function textsOfPart(part: StoredPart): SearchableText[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.value }];
    case "media":
      return [{ type: "file", text: part.filename }];
    case "link":
      return [{ type: "link", text: part.value }];
    case "app_clip":
      return [
        {
          type: "card",
          text: [part.title, part.description].filter((text) => text !== undefined).join(" · "),
        },
        { type: "link", text: part.value },
      ];
    case "imessage_app":
      return [{ type: "card", text: cardTexts(part.layout, part.fallback_text).join(" · ") }];
  }
}

function cardTexts(layout: Readonly<Record<string, string | undefined>>, fallback: string | null): string[] {
  const shown = Object.values(layout).filter((text) => text !== undefined && text !== "") as string[];
  return shown.length === 0 && fallback !== null ? [fallback] : [...new Set(shown)];
}
