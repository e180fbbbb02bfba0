import "server-only";
import { type BodyKind, redactSecrets } from "@/lib/request-log/store/redact-secrets";

/** Maximum number of stored bytes of a body. */
export const MAX_STORED_BYTES = 8192;
/** Bytes read beyond the limit, so that a secret that is cut in two is still recognized. */
const MARGIN = 256;

/**
 * Copies the beginning of a body into a new string, because a slice would keep the whole body of up to megabytes in
 * memory.
 */
export function truncateBody(text: string): string {
  const most = MAX_STORED_BYTES + MARGIN;
  if (text.length <= most) return text;
  const splits = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return Buffer.from(text.slice(0, splits ? most - 1 : most)).toString();
}

/**
 * Converts a body from `truncateBody` to its stored form: UTF-8 without secrets, at most 8 KB, ending with a complete
 * character.
 */
export function toStoredBody(taken: string, kind: BodyKind): Buffer {
  const cut = taken.length >= MAX_STORED_BYTES;
  // A card number that is cut off is no longer recognizable as one.
  const whole = cut ? taken.replace(/\d[\d -]*$/, "") : taken;
  const bytes = Buffer.from(redactSecrets(whole.replaceAll("\0", "\uFFFD"), kind));
  if (bytes.length <= MAX_STORED_BYTES) return bytes;
  // Bytes 10xxxxxx continue a character, so the cut moves before the character that it would split.
  let end = MAX_STORED_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
