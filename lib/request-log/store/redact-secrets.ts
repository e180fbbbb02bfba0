import "server-only";
import { redactWalletLinks } from "@/lib/platform/rights/redact-wallet-links";

const REDACTED = "[redacted]";

const SECRET_KEY =
  /token|secret|passw|passphrase|credential|private[_-]?key|api[_-]?key|^(authorization|cookie|code|otp|pin|pan|cvc|cvv|connect_id|signature)$|(one[_-]?time|verification|security)[_-]?code/i;
const ERROR_CODE = /^\d{4}$/;
/** 13 to 19 digits, possibly in groups. A preceding + means a phone number, a hyphen or letter means an id. */
const DIGIT_RUN = /(?<![\w+%-])\d(?:[ -]?\d){12,18}(?![\w-])/g;
const BARE_SECRET =
  /\btl_(?:sandbox|production)_[0-9A-Za-z]{20,}|\btlpay_[\w-]{20,}|\bwhsec_[\w+/=-]+|\bBearer +[^\s"\\]+/g;

/** The user name and the password in a URL. JSON may escape slashes. */
const USER_OF_URL = /(:\\?\/\\?\/)[^\s"'\\/?#@]+@/g;

/** Fragments of every key and every secret above, in lower case. Most texts contain none and are not parsed. */
const SUSPICIOUS =
  /token|secret|passw|passphrase|credential|private|api[_-]?key|authorization|cookie|cvc|cvv|connect_id|signature|(?:one[_-]?time|verification|security)[_-]?code|(?:code|otp|pin|pan)["':\s]|whsec_|tl_|tlpay_|:\\?\/\\?\/[^\s"]*@|bearer|wallet|\\u00/;

// A string (possibly cut off), a punctuation mark, white space, or anything else: numbers, and words in text that is
// not JSON.
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|\s+|[^\s"{}[\],:]+/gy;

/** The origin of a body: a number under `code` is a one-time code in a request, but an error code in a response. */
export type BodyKind = "request" | "answer";

/**
 * Replaces every secret in a body: values of keys like token, password or code, whole objects under such keys, and card
 * numbers, tokens and wallet links anywhere. Also works on text that is cut off or not JSON, so malformed bodies reveal
 * nothing.
 */
export function redactSecrets(text: string, kind: BodyKind): string {
  if (!isSuspicious(text)) return text;
  return redactCards(redactTokens(redactPairs(withoutBareSecrets(text)), kind));
}

function isSuspicious(text: string): boolean {
  // Bodies that are not JSON, such as forms, have keys without quotes. They are rare and are always parsed.
  if (!/^\s*[{[]/.test(text)) return true;
  return SUSPICIOUS.test(text.toLowerCase()) || text.search(DIGIT_RUN) !== -1;
}

/** Like `redactSecrets`, for a path with its query. */
export function redactPath(path: string): string {
  return redactCards(redactPairs(withoutBareSecrets(path)));
}

function withoutBareSecrets(text: string): string {
  return redactWalletLinks(text.replace(BARE_SECRET, REDACTED).replace(USER_OF_URL, `$1${REDACTED}@`));
}

/** Redacts `key=value` pairs in queries, in form bodies, and in errors that quote such a body. */
function redactPairs(text: string): string {
  return text.replace(
    /(^|[?&"'])([\w%.[\]-]+)=((?:[^&\s"\\]|\\(?!"))*)/g,
    (pair, before: string, key: string) =>
      SECRET_KEY.test(decoded(key)) ? `${before}${key}=${REDACTED}` : pair,
  );
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function redactTokens(text: string, kind: BodyKind): string {
  const tokens = text.match(TOKEN) ?? [];
  let redacted = "";
  let key: string | null = null;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token === ":" && key !== null && SECRET_KEY.test(key)) {
      const end = endOfValue(tokens, at + 1);
      const value = tokens.slice(at + 1, end).join("");
      redacted += kind === "answer" && isErrorCode(key, value) ? `:${value}` : `:"${REDACTED}"`;
      at = end - 1;
      key = null;
      continue;
    }
    redacted += redactToken(token, kind);
    if (token.trim() !== "") key = keyOf(token);
  }
  return redacted;
}

function isErrorCode(key: string, value: string): boolean {
  return key === "code" && ERROR_CODE.test(value.trim());
}

/** Finds the end of the value that begins at `start`: after its closing bracket, or before the next delimiter. */
function endOfValue(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") {
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (token === "," && depth === 0) return at;
  }
  return tokens.length;
}

function keyOf(token: string): string | null {
  if (/^[{}[\],:]$/.test(token)) return null;
  return token.startsWith('"') ? (unquoted(token) ?? token) : token.replaceAll("'", "");
}

function redactToken(token: string, kind: BodyKind): string {
  if (!token.startsWith('"')) return isCard(token) ? `"${REDACTED}"` : token;
  // Escapes could hide a card number or JSON in JSON, as an echo of a malformed body.
  const plain = token.includes("\\") ? unquoted(token) : null;
  if (plain === null) return token;
  const clean = /^\s*[{[]|"\s*:/.test(plain) ? redactSecrets(plain, kind) : redactCards(plain);
  return clean === plain ? token : JSON.stringify(clean);
}

function unquoted(token: string): string | null {
  try {
    return JSON.parse(token);
  } catch {
    return null;
  }
}

function redactCards(text: string): string {
  return text.replace(DIGIT_RUN, (run) => (isCard(run) ? REDACTED : run));
}

/** Whether the whole text is a card number: 13 to 19 digits with a valid check digit (Luhn). */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, "");
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.at(-1 - index));
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
