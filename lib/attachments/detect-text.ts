import "server-only";

/** Text formats by a pattern at or near their beginning. The first match wins. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^BEGIN:VCARD\r?\n/i, "text/vcard"],
  [/^BEGIN:VCALENDAR\r?\n/i, "text/calendar"],
  [/^(<\?xml|<!--|<!doctype svg)[\s\S]*<svg[\s>]|^<svg[\s>]/i, "image/svg+xml"],
  [/<(!doctype html|html|head|body|script|title|div|p|a|table|h[1-6])[\s>/]/i, "text/html"],
  [/^</, "application/xml"],
  [/^[[{]/, "application/json"],
];

/**
 * Detects the text format from the start of a file (UTF-8, or UTF-16 with a byte order mark). Returns null for any
 * other file.
 */
export function detectText(start: Buffer): string | null {
  const text = decode(start);
  if (text === null || hasControl(text)) return null;
  const begun = text.trimStart();
  return KINDS.find(([begins]) => begins.test(begun))?.[1] ?? "text/plain";
}

// The sample can end within a character. With `stream`, the decoder accepts the incomplete character.
function decode(start: Buffer): string | null {
  const [first, second] = start;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true });
  } catch {
    return null;
  }
}

function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
  return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(text);
}
