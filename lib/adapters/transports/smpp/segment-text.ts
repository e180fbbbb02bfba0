import "server-only";
import type { DefaultAlphabet } from "@/lib/adapters/transports/smpp/decode-text";
import { gsmCodes } from "@/lib/adapters/transports/smpp/gsm-alphabet";

/** The data codings of SMPP that Trunkline sends: the SMS center's default alphabet, and UCS-2. */
const DATA_CODING = { standard: 0, ucs2: 8 } as const;

/** A text as the SMS center takes it. */
export interface EncodedText {
  dataCoding: number;
  /** The bytes of each part, in order, without headers. */
  parts: readonly Buffer[];
}

/** A way to encode a text. `sizeOf`: the units of an encoded text that count toward the limits. */
interface Coding {
  dataCoding: number;
  encode(text: string): Buffer;
  sizeOf(text: string): number;
  /** The units of a single message, and of a part of a longer one (GSM 03.40: 140 octets). */
  limits: { single: number; part: number };
}

const septetsOf = (text: string) => encodeGsm(text).length;
const SEPTETS = { single: 160, part: 153 };

/** An SMS center with Latin-1 converts to GSM on its own, so the limits are those of GSM. */
const STANDARD: Readonly<Record<DefaultAlphabet, Coding>> = {
  gsm: { dataCoding: DATA_CODING.standard, encode: encodeGsm, sizeOf: septetsOf, limits: SEPTETS },
  latin1: {
    dataCoding: DATA_CODING.standard,
    encode: (text) => Buffer.from(text, "latin1"),
    sizeOf: septetsOf,
    limits: SEPTETS,
  },
};
const UCS2: Coding = {
  dataCoding: DATA_CODING.ucs2,
  encode: encodeUcs2,
  sizeOf: (text) => text.length * 2,
  limits: { single: 140, part: 134 },
};

const MAX_PARTS = 255;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text that would need more than 255 parts. */
export class TextTooLong extends Error {}

/**
 * Encodes a text in the default alphabet if the alphabet and GSM have all of its characters, else in UCS-2, and cuts it
 * into parts. A part never ends within a character: not between the escape and the code of an extended character, not
 * between surrogates, and not within an emoji of several code points that fits into a part. Throws TextTooLong.
 */
export function segmentText(text: string, alphabet: DefaultAlphabet = "gsm"): EncodedText {
  const coding = codingOf(text, alphabet);
  const { dataCoding, encode, sizeOf, limits } = coding;
  if (sizeOf(text) <= limits.single) return { dataCoding, parts: [encode(text)] };
  const parts = cut(text, coding);
  if (parts.length > MAX_PARTS) throw new TextTooLong("the text needs more than 255 SMS parts");
  return { dataCoding, parts };
}

/** Encodes a text without cutting it, for `message_payload`. */
export function encodeWhole(text: string, alphabet: DefaultAlphabet): { dataCoding: number; bytes: Buffer } {
  const { dataCoding, encode } = codingOf(text, alphabet);
  return { dataCoding, bytes: encode(text) };
}

function codingOf(text: string, alphabet: DefaultAlphabet): Coding {
  const has = (character: string) =>
    gsmCodes(character) !== null && (alphabet === "gsm" || character <= "\u00ff");
  return [...text].every(has) ? STANDARD[alphabet] : UCS2;
}

function cut(text: string, { encode, sizeOf, limits }: Coding): Buffer[] {
  const parts: Buffer[] = [];
  let part = "";
  for (const unit of unitsOf(text, sizeOf, limits.part)) {
    if (sizeOf(part) + sizeOf(unit) > limits.part) {
      parts.push(encode(part));
      part = "";
    }
    part += unit;
  }
  parts.push(encode(part));
  return parts;
}

/** The characters that stay together: graphemes, or the code points of a grapheme that is longer than a part. */
function* unitsOf(text: string, sizeOf: Coding["sizeOf"], limit: number): Generator<string> {
  for (const { segment } of graphemes.segment(text)) {
    if (sizeOf(segment) <= limit) yield segment;
    else yield* segment;
  }
}

function encodeGsm(text: string): Buffer {
  return Buffer.from([...text].flatMap((character) => gsmCodes(character) ?? []));
}

function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}
