import type { MessageView } from "@/lib/messaging/messages/message-view";

export type TextPart = Extract<MessageView["parts"][number], { type: "text" }>;

/** A run of text with the same styles, mention and sticker. */
export interface TextSegment {
  /** Start offset in UTF-16 code units. */
  start: number;
  text: string;
  styles: string[];
  animation: string | null;
  mention: { handle: string; is_me: boolean } | null;
  sticker: { filename: string; url: string | null } | null;
}

type Laid = Pick<TextPart, "value" | "text_decorations" | "mentions" | "inline_stickers">;

/** Splits a text into runs. Concatenated, they are the whole text. */
export function toTextSegments(part: Laid): TextSegment[] {
  const { value, text_decorations, mentions, inline_stickers } = part;
  const [decorations, named, stickers] = [text_decorations ?? [], mentions ?? [], inline_stickers ?? []];
  const borders = new Set([0, value.length]);
  for (const { range } of [...decorations, ...named, ...stickers]) {
    for (const border of range) if (border > 0 && border < value.length) borders.add(border);
  }
  const starts = [...borders].sort((one, other) => one - other);
  return starts.slice(0, -1).map((start, index) => {
    const covers = ({ range }: { range: [number, number] }) => range[0] <= start && start < range[1];
    const over = decorations.filter(covers);
    return {
      start,
      text: value.slice(start, starts[index + 1]),
      styles: over.flatMap(({ style }) => style ?? []),
      animation: over.find(({ animation }) => animation !== undefined)?.animation ?? null,
      mention: named.find(covers) ?? null,
      sticker: stickers.find(covers) ?? null,
    };
  });
}
