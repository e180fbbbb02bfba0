import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

const EMOJI = /^\p{RGI_Emoji}$/v;
const AS_IMAGE = "\ufe0f";

/** Exactly one emoji. Sequences such as skin tones, flags and families count as one. */
export const OneEmoji = z
  .string()
  .check(maxUnits(64))
  .refine((text) => EMOJI.test(text) || EMOJI.test(text + AS_IMAGE), "must be exactly one emoji")
  .meta({ examples: ["🎉"], description: "Exactly one emoji." });
