import "server-only";

const EXACT = new Set(["STOP", "UNSUBSCRIBE", "OPTOUT", "CANCEL", "END", "QUIT"]);
const OPT_OUT = /^opt[ -]?out$/i;

/**
 * The opt-out keyword a recipient's message is, or null (partner-api.md, Opt-out rules 1): the whole trimmed text, case
 * included; only OPT OUT matches in any case, with a space, a hyphen or neither. For direct chats: groups never opt out.
 */
export function optOutKeyword(text: string): string | null {
  const trimmed = text.trim();
  return EXACT.has(trimmed) || OPT_OUT.test(trimmed) ? trimmed : null;
}
