import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDecorationError, type TextDecoration } from "@/lib/messaging/content/text-decoration";
import { mentionsOf, TextPart } from "@/lib/messaging/content/text-part";

const text = "Hello 👋🏽 wörld";

describe("text decorations", () => {
  test("a range is measured in UTF-16 units, so it may end at the text's length and no further", () => {
    expect(findDecorationError(text, [{ range: [0, text.length], style: "bold" }])).toBeNull();
    expect(findDecorationError(text, [{ range: [0, text.length + 1], style: "bold" }])).not.toBeNull();
  });

  test("an empty or backward range is refused", () => {
    expect(findDecorationError(text, [{ range: [3, 3], style: "bold" }])).not.toBeNull();
    expect(findDecorationError(text, [{ range: [4, 3], style: "bold" }])).not.toBeNull();
  });

  test("exactly one of style and animation", () => {
    const part = (decoration: object) =>
      TextPart.safeParse({ type: "text", value: text, text_decorations: [{ range: [0, 2], ...decoration }] });
    expect(part({ style: "bold" }).success).toBe(true);
    expect(part({ style: "bold", animation: "shake" }).success).toBe(false);
    expect(part({}).success).toBe(false);
  });

  // The boundaries between characters. A range that starts elsewhere would cut an emoji.
  const borders = [...text].map((_, index, signs) => signs.slice(0, index + 1).join("").length).concat(0);
  const range = fc
    .tuple(fc.constantFrom(...borders), fc.constantFrom(...borders))
    .filter(([start, end]) => start < end);
  const decoration: fc.Arbitrary<TextDecoration> = fc.oneof(
    range.map((range): TextDecoration => ({ range, style: "bold" })),
    range.map((range): TextDecoration => ({ range, animation: "shake" })),
  );

  test("property: refused exactly when an animation shares a unit with another decoration", () => {
    fc.assert(
      fc.property(fc.array(decoration, { maxLength: 6 }), (decorations) => {
        const overlaps = decorations.some((one, index) =>
          decorations.some(
            (other, place) =>
              place !== index &&
              (one.animation !== undefined || other.animation !== undefined) &&
              one.range[0] < other.range[1] &&
              other.range[0] < one.range[1],
          ),
        );
        expect(findDecorationError(text, decorations) !== null).toBe(overlaps);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("ranges over emoji", () => {
  const sign = fc.constantFrom("a", "é", "👋", "👋🏽", "👩‍👩‍👧", "𝄞", " ", "漢");
  const textAndRange = fc
    .array(sign, { minLength: 1, maxLength: 12 })
    .map((signs) => signs.join(""))
    .chain((value) =>
      fc.record({
        value: fc.constant(value),
        range: fc.tuple(fc.nat(value.length + 1), fc.nat(value.length + 1)),
      }),
    );

  test.each([
    ["decorations", (range: [number, number]) => ({ text_decorations: [{ range, style: "bold" }] })],
    ["mentions", (range: [number, number]) => ({ mentions: [{ handle: "+15550100101", range }] })],
    ["the single mention", (range: [number, number]) => ({ mention: "+15550100101", mention_range: range })],
    [
      "inline stickers",
      (range: [number, number]) => ({ inline_stickers: [{ range, attachment_id: crypto.randomUUID() }] }),
    ],
  ])("property: %s are taken exactly when both sides stay well-formed", (_, laidOver) => {
    fc.assert(
      fc.property(textAndRange, ({ value, range }) => {
        const [start, end] = range;
        const isWhole =
          start < end &&
          end <= value.length &&
          [value.slice(0, start), value.slice(start, end), value.slice(end)].every((piece) =>
            piece.isWellFormed(),
          );
        expect(TextPart.safeParse({ type: "text", value, ...laidOver(range) }).success).toBe(isWhole);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, (range: number[]) => object]>([
    ["mentions", (range) => ({ handle: "+15550100101", range })],
    ["inline_stickers", (range) => ({ attachment_id: crypto.randomUUID(), range })],
  ])("property: %s are refused exactly when two share a unit", (key, laid) => {
    const pairs = fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 9 })).filter(([start, end]) => start < end);
    fc.assert(
      fc.property(fc.array(pairs, { minLength: 1, maxLength: 4 }), (ranges) => {
        const overlap = ranges.some((one, index) =>
          ranges.some((other, place) => place !== index && one[0] < other[1] && other[0] < one[1]),
        );
        const part = { type: "text", value: "123456789", [key]: ranges.map((range) => laid(range)) };
        expect(TextPart.safeParse(part).success).toBe(!overlap);
      }),
      { numRuns: 500 },
    );
  });

  test("a mention without a range is the whole text", () => {
    expect(mentionsOf(TextPart.parse({ type: "text", value: text, mention: "+15550100101" }))).toEqual([
      { handle: "+15550100101", is_me: false, range: [0, text.length] },
    ]);
  });

  test("a mention_range without a mention, and both ways at once, are refused", () => {
    const mention = "+15550100101";
    for (const wrong of [{ mention_range: [0, 1] }, { mention, mentions: [{ handle: mention }] }]) {
      expect(TextPart.safeParse({ type: "text", value: text, ...wrong }).success).toBe(false);
    }
  });
});
