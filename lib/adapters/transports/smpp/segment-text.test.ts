import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeGsm, gsmCodes } from "@/lib/adapters/transports/smpp/gsm-alphabet";
import { segmentText, TextTooLong } from "@/lib/adapters/transports/smpp/segment-text";

const GSM = [...Array(0x2100).keys()]
  .map((code) => String.fromCodePoint(code))
  .filter((c) => gsmCodes(c) !== null);
const gsmText = fc
  .array(fc.constantFrom(...GSM), { maxLength: 600 })
  .map((characters) => characters.join(""));
const FAMILY = "👨‍👩‍👧‍👦";
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.constantFrom("€", "{", FAMILY, "👍🏽", "🇺🇸", "é"),
    ),
    {
      maxLength: 200,
    },
  )
  .map((pieces) => pieces.join(""));

function decodeUcs2(part: Buffer): string {
  return Buffer.from(part).swap16().toString("utf16le");
}

test("a text of the GSM alphabet is divided into parts that fit, and no part ends within an extended character", () => {
  fc.assert(
    fc.property(gsmText, (text) => {
      const { dataCoding, parts } = segmentText(text);
      expect(dataCoding).toBe(0);
      const limit = parts.length === 1 ? 160 : 153;
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(limit);
        expect(part.at(-1)).not.toBe(0x1b);
      }
      expect(parts.map((part) => decodeGsm(part)).join("")).toBe(text);
    }),
  );
});

test("any text arrives whole, and no part ends within an emoji", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { dataCoding, parts } = segmentText(text);
      const texts = parts.map(dataCoding === 8 ? decodeUcs2 : (part) => decodeGsm(part));
      expect(texts.join("")).toBe(text);
      const limit = parts.length === 1 ? (dataCoding === 8 ? 140 : 160) : dataCoding === 8 ? 134 : 153;
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(limit);
      for (const each of texts) expect(each.isWellFormed()).toBe(true);
      const graphemes = new Set([...new Intl.Segmenter("en").segment(text)].map(({ index }) => index));
      let start = 0;
      for (const each of texts.slice(0, -1)) {
        start += each.length;
        expect(graphemes.has(start)).toBe(true);
      }
    }),
  );
});

test.each([
  ["a".repeat(160), 0, 1],
  ["a".repeat(161), 0, 2],
  ["€".repeat(80), 0, 1],
  ["€".repeat(81), 0, 2],
  ["é and ñ", 0, 1],
  ["ß Δ ü", 0, 1],
  ["ç", 8, 1],
  ["я".repeat(70), 8, 1],
  ["я".repeat(71), 8, 2],
  ["👍".repeat(35), 8, 1],
  ["👍".repeat(36), 8, 2],
  ["", 0, 1],
])("%j has data coding %i and %i parts", (text, dataCoding, count) => {
  const encoded = segmentText(text);
  expect([encoded.dataCoding, encoded.parts.length]).toEqual([dataCoding, count]);
});

test("a cluster longer than a part is divided between its code points", () => {
  const cluster = `e${"\u0301".repeat(200)}`;
  const { parts } = segmentText(cluster);
  expect(parts.map(decodeUcs2).join("")).toBe(cluster);
});

test("a text of more than 255 parts is refused", () => {
  expect(() => segmentText("a".repeat(153 * 255 + 1))).toThrow(TextTooLong);
});

test.each([
  ["a@b_$ \u00e9", 0, 1],
  ["@".repeat(161), 0, 2],
  ["{".repeat(80), 0, 1],
  ["{".repeat(81), 0, 2],
  ["\u20ac", 8, 1],
  ["\u0394", 8, 1],
])("with a default alphabet of Latin-1, %j has data coding %i and %i parts", (text, dataCoding, count) => {
  const { dataCoding: coding, parts } = segmentText(text, "latin1");
  expect([coding, parts.length]).toEqual([dataCoding, count]);
  if (coding === 0) expect(Buffer.concat(parts).toString("latin1")).toBe(text);
});
