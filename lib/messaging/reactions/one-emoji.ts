import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const EMOJI = /^\p{RGI_Emoji}$/v;
const SELECTORS = /[\ufe0e\ufe0f]/g;
/** A character that is an emoji only with a variation selector, unless a skin tone follows. */
const AS_TEXT = /(?=\p{Emoji})\P{Emoji_Presentation}(?!\p{Emoji_Modifier})/gu;

/**
 * The one form in which emoji are stored and compared: NFC, with the variation selectors of Unicode's set of emoji
 * sequences and no others, so that ❤ with and without a selector is one emoji. Other text stays as it came, in NFC.
 */
export function normalizeEmoji(text: string): string {
  const bare = text.normalize("NFC").replaceAll(SELECTORS, "");
  const written = bare.replaceAll(AS_TEXT, "$&\ufe0f");
  return [bare, written].find((form) => EMOJI.test(form)) ?? text.normalize("NFC");
}

/** Exactly one emoji. Sequences such as skin tones, flags and families count as one. */
export const OneEmoji = z
  .string()
  .check(maxUnits(64))
  .overwrite(normalizeEmoji)
  .refine((text) => EMOJI.test(text), "must be exactly one emoji")
  .meta({ examples: ["🎉"], description: "Exactly one emoji." });
