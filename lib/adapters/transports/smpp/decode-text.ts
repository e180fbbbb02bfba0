import "server-only";
import { decodeGsm, hasShiftTables, type ShiftTables } from "@/lib/adapters/transports/smpp/gsm-alphabet";

/** The encoding of an SMS center's default alphabet (data_coding 0). */
export type DefaultAlphabet = "gsm" | "latin1";

/** How a text is encoded. `label`: the name of a WHATWG encoding. */
export type Encoding =
  | { type: "gsm"; shift: ShiftTables }
  | { type: "latin1" }
  | { type: "ucs2" }
  | { type: "label"; labels: readonly string[] }
  | { type: "octets" }
  | { type: "unknown" };

const UCS2: Encoding = { type: "ucs2" };
const LATIN1: Encoding = { type: "latin1" };
const OCTETS: Encoding = { type: "octets" };

/** The encodings of SMPP (SMPP 3.4, 5.2.19), besides the default alphabet. Of several, the first that decodes all. */
const BY_CODE: Readonly<Record<number, Encoding>> = {
  1: LATIN1,
  2: OCTETS,
  3: LATIN1,
  4: OCTETS,
  5: { type: "label", labels: ["iso-2022-jp", "shift_jis", "euc-jp"] },
  6: { type: "label", labels: ["iso-8859-5"] },
  7: { type: "label", labels: ["iso-8859-8"] },
  8: UCS2,
  10: { type: "label", labels: ["iso-2022-jp", "shift_jis"] },
  13: { type: "label", labels: ["iso-2022-jp", "euc-jp", "shift_jis"] },
  14: { type: "label", labels: ["euc-kr"] },
};

/**
 * The encoding of a data_coding: SMPP's own codes up to 14, and the coding groups of GSM (3GPP TS 23.038, 4) above.
 * Reserved codes mean the default alphabet, as that section says.
 */
export function encodingOf(dataCoding: number, alphabet: DefaultAlphabet, shift: ShiftTables): Encoding {
  const basic: Encoding = alphabet === "latin1" ? LATIN1 : { type: "gsm", shift };
  // A message class and the indication of a waiting message always name the alphabet of GSM.
  const gsm: Encoding = { type: "gsm", shift };
  if (dataCoding <= 0x0f) return BY_CODE[dataCoding] ?? basic;
  if (dataCoding < 0x80) {
    const isCompressed = (dataCoding & 0x20) !== 0;
    return isCompressed ? { type: "unknown" } : ([gsm, OCTETS, UCS2, gsm][(dataCoding >> 2) & 3] ?? gsm);
  }
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? gsm : OCTETS;
  if (dataCoding >= 0xe0) return UCS2;
  return dataCoding >= 0xc0 ? gsm : basic;
}

/** Decodes the octets of a text. Octets that are no text become a mark that shows that a message came. */
export function decodeText(octets: Buffer, encoding: Encoding): string {
  return decode(octets, encoding) ?? markOf(octets);
}

function decode(octets: Buffer, encoding: Encoding): string | null {
  switch (encoding.type) {
    case "gsm":
      return decodeSeptets(octets, encoding.shift);
    case "latin1":
      return decodeLatin1(octets);
    case "ucs2":
      return decodeUcs2(octets);
    case "label":
      return firstDecoded(octets, encoding.labels);
    case "octets":
      return decodeOctets(octets);
    case "unknown":
      return octets.length === 0 ? "" : null;
  }
}

/** With the printable characters that Windows has where Latin-1 has control characters. */
function decodeLatin1(octets: Buffer): string {
  return new TextDecoder("windows-1252").decode(octets);
}

/** An octet above 127 is no septet: the SMS center sends another alphabet than it says. */
function decodeSeptets(octets: Buffer, shift: ShiftTables): string | null {
  if (!hasShiftTables(shift)) return null;
  const isOther = octets.some((octet) => octet > 0x7f);
  return (isOther ? decodeOctets(octets) : null) ?? decodeGsm(octets, shift);
}

/** UTF-16 in either byte order. SMS centers append a single octet 0 to some texts; any other is U+FFFD. */
function decodeUcs2(octets: Buffer): string {
  const even = Buffer.from(octets.subarray(0, octets.length - (octets.length % 2)));
  const isLittleEndian = even[0] === 0xff && even[1] === 0xfe;
  const text = (isLittleEndian ? even : even.swap16()).toString("utf16le").replace(/^\ufeff/, "");
  return even.length === octets.length || octets.at(-1) === 0 ? text : `${text}\ufffd`;
}

function firstDecoded(octets: Buffer, labels: readonly string[]): string | null {
  for (const label of labels) {
    const text = tryDecode(octets, label);
    if (text !== null) return text;
  }
  return null;
}

function tryDecode(octets: Buffer, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(octets);
  } catch {
    return null;
  }
}

/** Control characters that no text has. A text may end with NUL. */
const NO_TEXT = /[^\P{Cc}\t\n\r\f]/u;

/** Unspecified octets are text if they are UTF-8 or Latin-1 without control characters. */
function decodeOctets(octets: Buffer): string | null {
  const texts = [tryDecode(octets, "utf-8"), decodeLatin1(octets)];
  return texts.find((text) => text !== null && !NO_TEXT.test(text.replace(/\0+$/, ""))) ?? null;
}

function markOf(octets: Buffer): string {
  const size = octets.length === 1 ? "1 byte" : `${octets.length} bytes`;
  return `[Message that can't be shown: ${size}]`;
}
