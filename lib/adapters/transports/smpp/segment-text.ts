import "server-only";
import { gsmCodes } from "@/lib/adapters/transports/smpp/gsm-alphabet";

/** The data codings of SMPP that Trunkline sends: the SMS center's default alphabet (GSM 7-bit), and UCS-2. */
const DATA_CODING = { gsm: 0, ucs2: 8 } as const;

/** A text as the SMS center takes it. */
export interface EncodedText {
  dataCoding: number;
  /** The bytes of each part, in order, without headers. */
  parts: readonly Buffer[];
}

/** The bytes that fit into a single message, and into a part of a longer one (GSM 03.40: 140 octets). */
const LIMITS = {
  gsm: { single: 160, part: 153 },
  ucs2: { single: 140, part: 134 },
} as const;

const MAX_PARTS = 255;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text that would need more than 255 parts. */
export class TextTooLong extends Error {}

/**
 * Encodes a text in the GSM alphabet if it has only its characters, else in UCS-2, and cuts it into parts. A part never
 * ends within a character: not between the escape and the code of an extended character, not between surrogates, and not
 * within an emoji of several code points that fits into a part. Throws TextTooLong.
 */
export function segmentText(text: string): EncodedText {
  const isGsm = [...text].every((character) => gsmCodes(character) !== null);
  const limits = isGsm ? LIMITS.gsm : LIMITS.ucs2;
  const encode = isGsm ? encodeGsm : encodeUcs2;
  const dataCoding = isGsm ? DATA_CODING.gsm : DATA_CODING.ucs2;
  const whole = encode(text);
  if (whole.length <= limits.single) return { dataCoding, parts: [whole] };
  const parts = cut(text, encode, limits.part);
  if (parts.length > MAX_PARTS) throw new TextTooLong("the text needs more than 255 SMS parts");
  return { dataCoding, parts };
}

/** Encodes a text without cutting it, for `message_payload`. */
export function encodeWhole(text: string): { dataCoding: number; bytes: Buffer } {
  const isGsm = [...text].every((character) => gsmCodes(character) !== null);
  if (isGsm) return { dataCoding: DATA_CODING.gsm, bytes: encodeGsm(text) };
  return { dataCoding: DATA_CODING.ucs2, bytes: encodeUcs2(text) };
}

function cut(text: string, encode: (text: string) => Buffer, limit: number): Buffer[] {
  const parts: Buffer[] = [];
  let part: Buffer[] = [];
  let size = 0;
  for (const unit of unitsOf(text, encode, limit)) {
    if (size + unit.length > limit) {
      parts.push(Buffer.concat(part));
      part = [];
      size = 0;
    }
    part.push(unit);
    size += unit.length;
  }
  parts.push(Buffer.concat(part));
  return parts;
}

/** The bytes that stay together: graphemes, or the code points of a grapheme that is longer than a part. */
function* unitsOf(text: string, encode: (text: string) => Buffer, limit: number): Generator<Buffer> {
  for (const { segment } of graphemes.segment(text)) {
    const bytes = encode(segment);
    if (bytes.length <= limit) yield bytes;
    else for (const character of segment) yield encode(character);
  }
}

function encodeGsm(text: string): Buffer {
  return Buffer.from([...text].flatMap((character) => gsmCodes(character) ?? []));
}

function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}
