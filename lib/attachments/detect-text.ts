import "server-only";

/** Kinds of text by how they begin, or by what they have early; the first that fits. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^BEGIN:VCARD\r?\n/i, "text/vcard"],
  [/^BEGIN:VCALENDAR\r?\n/i, "text/calendar"],
  [/^(<\?xml|<!--|<!doctype svg)[\s\S]*<svg[\s>]|^<svg[\s>]/i, "image/svg+xml"],
  [/<(!doctype html|html|head|body|script|title|div|p|a|table|h[1-6])[\s>/]/i, "text/html"],
  [/^</, "application/xml"],
  [/^[[{]/, "application/json"],
];

/** The kind of text the start of a file is (UTF-8, or UTF-16 with its mark); null when it is no such text. */
export function detectText(start: Buffer): string | null {
  const text = decode(start);
  if (text === null || hasControl(text)) return null;
  const begun = text.trimStart();
  return KINDS.find(([begins]) => begins.test(begun))?.[1] ?? "text/plain";
}

// The start may cut a character in two: `stream` waits for its rest, in vain.
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
  return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(text);
}
