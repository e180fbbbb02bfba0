import "server-only";
import { createHash } from "node:crypto";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import type { Outbound, OutMedia } from "@/lib/adapters/transports/outbound";

/**
 * Android refuses a text of nine parts and more (RESULT_ERROR_LIMIT_EXCEEDED). Eight parts are 1,224 characters of the
 * GSM alphabet, or 536 UTF-16 units of a text with any other character.
 */
const MAX_PLAIN = 1200;
const MAX_UNICODE = 530;
/** Characters that are one septet in every GSM alphabet, and nothing else. */
const PLAIN = /^[\n\r\x20-\x5a\x5f\x61-\x7a]*$/;

/** Carriers take 0.3 to 1 MB in one MMS. */
const MAX_MMS_BYTES = 1_000_000;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

interface Content {
  text: string;
  files: readonly OutMedia[];
}

/** One SMS or MMS: an entry of the phone's queue, with its own UUID. */
export interface Unit extends Content {
  id: string;
}

/**
 * The units of a message, in the order in which they are sent. The last has the message's own id: once the phone has
 * it, the phone has all of them. Throws AdapterError `unsupported` for files without MMS, `rejected` for a file that no
 * MMS can carry.
 */
export function toUnits(message: Outbound, settings: AndroidSettings): Unit[] {
  const files = message.parts.flatMap((part) => (part.type === "media" ? part : []));
  if (files.length > 0 && settings.mms === "off") {
    throw new AdapterError("unsupported", "MMS is switched off for this line");
  }
  const text = message.parts.flatMap((part) => (part.type === "text" ? part.value : [])).join("\n");
  const contents =
    files.length > 0 ? toMms(text, files) : divide(text).map((piece) => ({ text: piece, files }));
  return contents.map((content, index) => ({
    ...content,
    id: index === contents.length - 1 ? message.id : earlierUnitId(message.id, index),
  }));
}

/** The id of the unit at a place before the last: a UUIDv5 (RFC 9562, 5.5) of the message's id and the place. */
export function earlierUnitId(messageId: string, index: number): string {
  const namespace = Buffer.from(messageId.replaceAll("-", ""), "hex");
  const digest = createHash("sha1").update(namespace).update(String(index)).digest().subarray(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return toUuid(digest.toString("hex"));
}

/**
 * The id of a unit on the phone: the digits of its UUID, and a mark of its line, because several lines can share a
 * phone. At most 36 characters, as SMSGate's API allows.
 */
export function toPhoneId(id: string, lineId: string): string {
  return id.replaceAll("-", "") + markOf(lineId);
}

/** The unit of an id on the phone; null for one that another line, or another program, sent. */
export function fromPhoneId(phoneId: string, lineId: string): string | null {
  const digits = phoneId.slice(0, 32);
  if (!/^[0-9a-f]{32}$/.test(digits) || phoneId.slice(32) !== markOf(lineId)) return null;
  return toUuid(digits);
}

function markOf(lineId: string): string {
  return createHash("sha256").update(lineId).digest("base64url").slice(0, 4);
}

function toUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Fills each MMS with as many files as it can carry. The text is in the first. */
function toMms(text: string, files: readonly OutMedia[]): Content[] {
  const groups: OutMedia[][] = [[]];
  let bytes = Buffer.byteLength(text);
  for (const file of files) {
    if (file.sizeBytes > MAX_MMS_BYTES) {
      throw new AdapterError("rejected", `${file.filename} is larger than an MMS: 1 MB`);
    }
    if (bytes + file.sizeBytes > MAX_MMS_BYTES && groups.at(-1)?.length !== 0) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(file);
    bytes += file.sizeBytes;
  }
  return groups.map((group, index) => ({ text: index === 0 ? text : "", files: group }));
}

/** Divides a text into pieces that Android sends, which do not end within a character. */
function divide(text: string): string[] {
  const most = PLAIN.test(text) ? MAX_PLAIN : MAX_UNICODE;
  if (text.length <= most) return [text];
  const pieces = [""];
  for (const { segment } of graphemes.segment(text)) {
    for (const unit of segment.length <= most ? [segment] : [...segment]) {
      const last = pieces.at(-1) ?? "";
      if (last.length + unit.length > most) pieces.push(unit);
      else pieces[pieces.length - 1] = last + unit;
    }
  }
  return pieces;
}
