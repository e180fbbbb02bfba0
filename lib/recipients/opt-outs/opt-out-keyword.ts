/** The keywords that count in capital letters only. OPT OUT counts in any capitalization. */
export const OPT_OUT_KEYWORDS = ["STOP", "UNSUBSCRIBE", "OPTOUT", "CANCEL", "END", "QUIT"] as const;

const EXACT = new Set<string>(OPT_OUT_KEYWORDS);
const OPT_OUT = /^opt[ -]?out$/i;

/**
 * Returns the opt-out keyword that a message consists of, or null (docs/contract.md, section 9.1). The whole trimmed
 * text must match, including case. Only OPT OUT matches in any case, with a space, a hyphen or neither. For direct
 * chats only: messages in groups never opt out.
 */
export function optOutKeyword(text: string): string | null {
  const trimmed = text.trim();
  return EXACT.has(trimmed) || OPT_OUT.test(trimmed) ? trimmed : null;
}
