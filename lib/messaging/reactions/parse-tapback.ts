import "server-only";
import type { ReactionType } from "@/lib/platform/prisma/enums";

/** A reaction that a phone without reactions over SMS wrote as a text. */
export interface Tapback {
  type: Exclude<ReactionType, "sticker">;
  /** The emoji of a `custom` reaction. */
  emoji: string | null;
  isRemoved: boolean;
  /** The text of the message it is about, or the family of its file; "" = any file. */
  about: { text: string } | { file: "image" | "video" | "audio" | "" };
}

/** The words of iOS for its six reactions: added, and removed. */
const WORDS: readonly (readonly [type: Tapback["type"], added: RegExp, removed: RegExp])[] = [
  ["love", /^Loved /, /^Removed a heart from /],
  ["like", /^Liked /, /^Removed a like from /],
  ["dislike", /^Disliked /, /^Removed a dislike from /],
  ["laugh", /^Laughed at /, /^Removed a laugh from /],
  ["emphasize", /^Emphasi[sz]ed /, /^Removed an? (?:exclamation(?: mark)?|emphasis) from /],
  ["question", /^Questioned /, /^Removed a question mark from /],
];

/** Emoji of any kind. Each character fits in one way only, so that a text of emoji alone is read in linear time. */
const EMOJI = String.raw`((?:[0-9#*]\ufe0f?\u20e3|[\p{Extended_Pictographic}\p{RI}\p{Emoji_Modifier}\u200d\ufe0f])+?)`;
/** iOS 18 and later, for any emoji. */
const REACTED = new RegExp(`^Reacted ${EMOJI} to `, "v");
const UNREACTED = new RegExp(`^Removed ${EMOJI} from `, "v");
/** Google Messages: the emoji comes first, in any language, and invisible marks tell an addition from a removal. */
const GOOGLE_ADDED = new RegExp(`^${EMOJI} to (?=[“"])`, "v");
const GOOGLE_REMOVED = new RegExp(`^${EMOJI} (?:removed|was removed) from (?=[“"])`, "v");
const MARKED =
  /^\u200a[^\u200a-\u200c]*([\u200b\u200c])([^\u200b\u200c]{1,32})\1[^\u200a]*\u200a([\s\S]+?)\u200a[^\u200a]*\u200a?$/u;

const QUOTED = /^(?:“([\s\S]+)”|"([\s\S]+)")$/;
const FILES: ReadonlyMap<string, "image" | "video" | "audio" | ""> = new Map([
  ["an image", "image"],
  ["a photo", "image"],
  ["a sticker", "image"],
  ["a movie", "video"],
  ["a video", "video"],
  ["an audio message", "audio"],
  ["a voice message", "audio"],
  ["an attachment", ""],
  ["a file", ""],
]);

/** The emoji that stand for the six reactions where a phone has only emoji. */
const CLASSIC: ReadonlyMap<string, Tapback["type"]> = new Map([
  ["❤", "love"],
  ["👍", "like"],
  ["👎", "dislike"],
  ["😂", "laugh"],
  ["‼", "emphasize"],
  ["❓", "question"],
]);

/**
 * Reads a text in the form of a tapback, as iOS and Google Messages write it: `Liked “…”`, `Loved an image`, `Reacted 😂
 * to “…”`, `👍 to “…”`, and their removals (docs/contract.md, section 8.2). Returns null for any other text. Whether it
 * is a reaction depends on the quotation: see `receiveTapback`.
 */
export function parseTapback(text: string): Tapback | null {
  const marked = MARKED.exec(text);
  if (marked !== null) return fromMarked(marked);
  const plain = text
    .replace(/\p{Cf}/gu, (mark) => (mark === "\u200d" ? mark : ""))
    .replace(/\s+/g, " ")
    .trim();
  for (const [type, added, removed] of WORDS) {
    for (const [form, isRemoved] of [[added, false] as const, [removed, true] as const]) {
      const about = form.test(plain) ? aboutOf(plain.replace(form, "")) : null;
      if (about !== null) return { type, emoji: null, isRemoved, about };
    }
  }
  return (
    fromEmoji(plain, REACTED, { isRemoved: false, isClassic: false }) ??
    fromEmoji(plain, UNREACTED, { isRemoved: true, isClassic: false }) ??
    fromEmoji(plain, GOOGLE_ADDED, { isRemoved: false, isClassic: true }) ??
    fromEmoji(plain, GOOGLE_REMOVED, { isRemoved: true, isClassic: true })
  );
}

function fromMarked([, mark, emoji = "", quotation = ""]: RegExpExecArray): Tapback {
  return { ...reactionOf(emoji.trim(), true), isRemoved: mark === "\u200c", about: { text: quotation } };
}

function fromEmoji(
  plain: string,
  form: RegExp,
  { isRemoved, isClassic }: { isRemoved: boolean; isClassic: boolean },
): Tapback | null {
  const emoji = form.exec(plain)?.[1];
  if (emoji === undefined) return null;
  const about = aboutOf(plain.replace(form, ""));
  return about === null ? null : { ...reactionOf(emoji, isClassic), isRemoved, about };
}

function reactionOf(emoji: string, isClassic: boolean): Pick<Tapback, "type" | "emoji"> {
  const type = isClassic ? CLASSIC.get(emoji.replaceAll("\ufe0f", "")) : undefined;
  return type === undefined ? { type: "custom", emoji } : { type, emoji: null };
}

function aboutOf(rest: string): Tapback["about"] | null {
  const file = FILES.get(rest);
  if (file !== undefined) return { file };
  const [, curly, straight] = QUOTED.exec(rest) ?? [];
  const quotation = curly ?? straight;
  return quotation === undefined ? null : { text: quotation };
}

const LEAST_PREFIX = 8;

/** Whether a quotation is that of a text: quotes, white space and case of marks aside, and possibly cut with an ellipsis. */
export function quotes(quotation: string, text: string): boolean {
  const [quoted, whole] = [plainOf(quotation), plainOf(text)];
  if (quoted === whole) return whole !== "";
  const cut = /^(.*?)\s?(?:…|\.\.\.)$/s.exec(quoted)?.[1];
  return cut !== undefined && cut.length >= LEAST_PREFIX && whole.startsWith(cut);
}

function plainOf(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, "")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
}
