import "server-only";
import { hash } from "node:crypto";

/** The longest ref that fits an index entry of PostgreSQL, in UTF-16 units. */
const MAX_REF = 512;
const MAX_ERROR = 2000;

/**
 * Returns a text that PostgreSQL's text and jsonb accept, at most `most` UTF-16 units long: without U+0000, with U+FFFD in
 * place of lone surrogates.
 */
export function storableText(text: string, most: number): string {
  const clean = text.replaceAll("\0", "").toWellFormed();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The sentence of a vendor's error, for storage. */
export function storableError(message: string): string {
  return storableText(message, MAX_ERROR);
}

/**
 * Returns a vendor's id as Trunkline stores it: unchanged, or a hash where it can't be stored or is too long. Different
 * ids stay different, and a repeat stays the same.
 */
export function storableRef(ref: string): string {
  const isStorable = ref.length <= MAX_REF && !ref.includes("\0") && ref.isWellFormed();
  return isStorable ? ref : `sha256:${hash("sha256", Buffer.from(ref, "utf16le"), "base64url")}`;
}
