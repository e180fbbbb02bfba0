import type { Draft } from "@/components/composer/draft";
import type { Mark } from "@/components/composer/text/text-marks";

type Range = [number, number];
type TextPart = {
  type: "text";
  value: string;
  text_decorations?: { range: Range; style?: string; animation?: string }[];
  mentions?: { handle: string; range: Range }[];
};

/** The message in a `POST …/messages` body. */
export interface Content {
  parts: (TextPart | { type: "media"; attachment_id: string })[];
  effect?: Draft["effect"];
  preferred_service?: string;
  reply_to?: { message_id: string; part_index: number };
}

/** The content of a draft: its files, then its text; null if it has neither. */
export function toContent({ text, marks, effect, transport, reply, files }: Draft): Content | null {
  const media = files.map(({ attachmentId }) => ({ type: "media" as const, attachment_id: attachmentId }));
  const parts = text.trim() === "" ? media : [...media, toTextPart(text, marks)];
  if (parts.length === 0) return null;
  return {
    parts,
    ...(effect !== null && { effect }),
    ...(transport !== null && { preferred_service: transport }),
    ...(reply !== null && { reply_to: { message_id: reply.messageId, part_index: reply.partIndex } }),
  };
}

/** Converts a text and its marks to the API's text part. */
export function toTextPart(value: string, marks: readonly Mark[]): TextPart {
  const decorations = marks.flatMap(({ start, end, type, name }) => {
    if (type === "mention") return [];
    return [{ range: [start, end] satisfies Range, [type]: name }];
  });
  const mentions = marks.flatMap(({ start, end, type, name }) =>
    type === "mention" ? [{ handle: name, range: [start, end] satisfies Range }] : [],
  );
  return {
    type: "text",
    value,
    ...(decorations.length > 0 && { text_decorations: decorations }),
    ...(mentions.length > 0 && { mentions }),
  };
}
