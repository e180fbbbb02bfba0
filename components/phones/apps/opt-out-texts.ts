import { OPT_OUT_KEYWORDS } from "@/lib/recipients/opt-outs/opt-out-keyword";

/** Texts that opt out the person who sends one in a direct conversation. */
export const OPT_OUT_TEXTS: readonly string[] = [...OPT_OUT_KEYWORDS, "OPT OUT", "opt-out"];

/** A text that ends the opt-out. Any text that is not a keyword does. */
export const OPT_IN_TEXT = "START";

/** Texts that resemble a keyword but don't opt out: the wrong case, and a keyword inside a longer message. */
export const NEAR_MISSES: readonly string[] = ["Stop", "STOP please"];
