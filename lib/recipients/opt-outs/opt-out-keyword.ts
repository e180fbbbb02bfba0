import "server-only";

const EXACT = new Set(["STOP", "UNSUBSCRIBE", "OPTOUT", "CANCEL", "END", "QUIT"]);
const OPT_OUT = /^opt[ -]?out$/i;

/**
 * Returns the opt-out keyword that a message consists of, or null (partner-api.md, Opt-out rules 1). The whole trimmed
 * text must match, including case. Only OPT OUT matches in any case, with a space, a hyphen or neither. For direct
 * chats only: messages in groups never opt out.
 */
export function optOutKeyword(text: string): string | null {
  const trimmed = text.trim();
  return EXACT.has(trimmed) || OPT_OUT.test(trimmed) ? trimmed : null;
}
