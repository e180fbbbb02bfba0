import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { createRangeReader } from "@/lib/attachments/store/settle-upload";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const MAX_READ_BYTES = 64 * 1024;
const MAX_NAME = 200;

/** The name on a contact card. */
export interface ContactName {
  first_name: string;
  /** May be empty. */
  last_name: string;
}

/** A received contact card: the contact's name and the file. */
export interface ContactCard extends ContactName {
  attachmentId: string;
  /** The phone numbers and email addresses on the card. */
  handles: string[];
}

/** Returns the contact cards among the stored files of a message. */
export async function readContactCards(accountId: string, files: readonly NewFile[]): Promise<ContactCard[]> {
  const cards: ContactCard[] = [];
  for (const { id, contentType, sizeBytes } of files) {
    if (contentType !== "text/vcard") continue;
    const peek = createRangeReader(objectStore(), objectKey({ accountId, attachmentId: id }), sizeBytes);
    const text = (await peek.read(0, Math.min(sizeBytes, MAX_READ_BYTES))).toString("utf8");
    cards.push({ ...nameOnCard(text), handles: handlesOnCard(text), attachmentId: id });
  }
  return cards;
}

/** Returns the phone numbers and email addresses on a vCard, as Trunkline writes handles. RFC 6350 6.4. */
export function handlesOnCard(card: string): string[] {
  return linesOf(card).flatMap((line) => {
    const value = /^(?:[\w-]+\.)?(?:TEL|EMAIL)(?:;[^:]*)?:(.*)$/i.exec(line)?.[1];
    return value === undefined ? [] : [normalizeHandle(plain(value).replace(/^tel:/i, ""))];
  });
}

/**
 * Returns the name on a vCard: N (family; given), otherwise FN, otherwise empty. RFC 6350 6.2; folded lines are joined.
 */
export function nameOnCard(card: string): ContactName {
  const lines = linesOf(card);
  const [family = "", given = ""] = (lineOf(lines, "N") ?? "").split(/(?<!\\);/).map(plain);
  if (given !== "" || family !== "") return { first_name: given, last_name: family };
  return { first_name: plain(lineOf(lines, "FN") ?? ""), last_name: "" };
}

function linesOf(card: string): string[] {
  return card
    .replace(/\r?\n[ \t]/g, "")
    .replace(QUOTED, (_, property: string, value: string) => property + unquoted(value, property))
    .split(/\r?\n/);
}

/**
 * A property of vCard 2.1 in quoted-printable, which phones write for any character beyond ASCII. The lengths are bounded so
 * that a hostile card takes no time.
 */
const QUOTED = /^([^:\n]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[^:\n]{0,200}:)((?:.*=\r?\n)*.*)$/gim;

function unquoted(value: string, property: string): string {
  const bytes = value
    .replace(/=\r?\n/g, "")
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const charset = /;CHARSET=ISO-8859-1/i.test(property) ? "latin1" : "utf8";
  return Buffer.from(bytes, "latin1")
    .toString(charset)
    .replace(/[\r\n]+/g, " ");
}

function lineOf(lines: readonly string[], property: string): string | null {
  const named = new RegExp(`^(?:[\\w-]+\\.)?${property}(?:;[^:]*)?:(.*)$`, "i");
  for (const line of lines) {
    const value = named.exec(line)?.[1];
    if (value !== undefined) return value;
  }
  return null;
}

function plain(value: string): string {
  const text = value.replace(/\\n/gi, " ").replace(/\\([\\;,])/g, "$1");
  return text.replaceAll("\0", "").trim().slice(0, MAX_NAME).toWellFormed();
}
