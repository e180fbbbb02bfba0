import "server-only";

/** Text formats by a pattern at or near their beginning. The first match wins. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^BEGIN[ \t]*:[ \t]*VCARD[ \t]*(\r|\n|$)/i, "text/vcard"],
  [/^BEGIN[ \t]*:[ \t]*VCALENDAR[ \t]*(\r|\n|$)/i, "text/calendar"],
  [/^\{\\rtf/, "application/rtf"],
  [/^<([\w-]+:)?svg[\s/>]/i, "image/svg+xml"],
  [/<(!doctype html|html|head|body|script|title|div|p|a|table|h[1-6])[\s>/]/i, "text/html"],
  [/^</, "application/xml"],
  [/^[[{]/, "application/json"],
  [/^("([^"\\]|\\.)*"|-?\d+(\.\d+)?(e[+-]?\d+)?|true|false|null)\s*$/i, "json-scalar"],
];

/** Bell, backspace, vertical tab, end of a DOS file, and escape. */
const TERMINAL: ReadonlySet<number> = new Set([0x07, 0x08, 0x0b, 0x1a, 0x1b]);
/** The share of control characters, beyond those of terminals, that a text can have. */
const MAX_CONTROLS = 0.1;

/**
 * Detects the text format from the start of a file: UTF-8, UTF-16 with a byte order mark, or an 8-bit encoding. Returns
 * null for any other file.
 */
export function detectText(start: Buffer): string | null {
  const text = decode(start);
  if (text === null || !isReadable(text)) return null;
  const begun = skipProlog(text.trimStart());
  if (begun === "") return text.trim() === "" ? "text/plain" : "markup";
  return KINDS.find(([begins]) => begins.test(begun))?.[1] ?? "text/plain";
}

/** The prolog of XML: declarations, comments, and a document type that is not HTML's. */
const PROLOG =
  /^(<\?[^>]*(\?>|$)|<!--[\s\S]*?(-->|$)|<!doctype\s+(?!\s|html)[^[>]*(\[[\s\S]*?(\]\s*>|$)|>|$))\s*/i;

/** Returns an empty text when the sample ends before the first element. */
function skipProlog(text: string): string {
  const rest = text.replace(PROLOG, "");
  return rest === text || rest === "" ? rest : skipProlog(rest);
}

// The sample can end within a character. With `stream`, the decoder accepts the incomplete character.
function decode(start: Buffer): string | null {
  const [first, second] = start;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true });
  } catch {
    // No format of files has only bytes that printable 8-bit text has.
    return start.every((byte) => byte >= 0x20 || isLayout(byte)) ? start.toString("latin1") : null;
  }
}

function isLayout(code: number): boolean {
  return code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

// Logs contain separators of records. A NUL is in no text.
function isReadable(text: string): boolean {
  let controls = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0) return false;
    if (code < 0x20 && !isLayout(code) && !TERMINAL.has(code)) controls++;
  }
  return controls <= Math.ceil(text.length * MAX_CONTROLS);
}
