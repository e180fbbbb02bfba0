import "server-only";
import { optOutKeyword } from "@/lib/recipients/opt-outs/opt-out-keyword";

/** Words that are unambiguous in a short message. */
const CLEAR = new Set(["stop", "stopall", "unsubscribe", "revoke", "optout"]);
const MAX_CLEAR_WORDS = 8;

/** Words that count only when the message contains hardly anything else. */
const VAGUE = new Set(["cancel", "end", "quit"]);
const MAX_VAGUE_WORDS = 2;

/**
 * Returns the word, in lower case, that makes a message a possible opt-out, for example in "Stop", "stop please" or
 * "STOP.". Returns null for a keyword, which opts out automatically, and for any other message. Never opts anyone out:
 * a person decides.
 */
export function optOutHint(text: string): string | null {
  if (optOutKeyword(text) !== null) return null;
  const words = wordsOf(text);
  const clear = words.length <= MAX_CLEAR_WORDS ? words.find((word) => CLEAR.has(word)) : undefined;
  const vague = words.length <= MAX_VAGUE_WORDS ? words.find((word) => VAGUE.has(word)) : undefined;
  return clear ?? vague ?? null;
}

function wordsOf(text: string): string[] {
  const spelled = text.toLowerCase().replace(/\bopt[\s_-]*out\b/g, "optout");
  return spelled.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
