import "server-only";

const PLAIN = /^[\w:.+-]+$/;
const NULL = /^null$/i;

/**
 * Formats an array as a PostgreSQL array literal for a parameter. Returns null for values that only the driver can
 * format: nested arrays, bytes, objects and distant dates. With 50 connections, formatting by the driver took half of
 * its time per send.
 */
export function arrayLiteral(items: readonly unknown[]): string | null {
  const written: string[] = [];
  for (const item of items) {
    const text = elementOf(item);
    if (text === null) return null;
    written.push(text);
  }
  return `{${written.join(",")}}`;
}

function elementOf(item: unknown): string | null {
  if (item === null || item === undefined) return "NULL";
  if (typeof item === "string") return isPlain(item) ? item : quoted(item);
  if (typeof item === "object") return item instanceof Date ? momentOf(item) : null;
  return String(item);
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !NULL.test(text);
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : `"${text}"`;
}

function momentOf(date: Date): string | null {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : null;
}
