import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type TextDecoration, TextPart, wrongDecoration } from "@/lib/messages/message-part";

const text = "Hello 👋🏽 wörld";

describe("text decorations", () => {
  test("a range is measured in UTF-16 units, so it may end at the text's length and no further", () => {
    expect(wrongDecoration(text, [{ range: [0, text.length], style: "bold" }])).toBeNull();
    expect(wrongDecoration(text, [{ range: [0, text.length + 1], style: "bold" }])).not.toBeNull();
  });

  test("an empty or backward range is refused", () => {
    expect(wrongDecoration(text, [{ range: [3, 3], style: "bold" }])).not.toBeNull();
    expect(wrongDecoration(text, [{ range: [4, 3], style: "bold" }])).not.toBeNull();
  });

  test("exactly one of style and animation", () => {
    const part = (decoration: object) =>
      TextPart.safeParse({ type: "text", value: text, text_decorations: [{ range: [0, 2], ...decoration }] });
    expect(part({ style: "bold" }).success).toBe(true);
    expect(part({ style: "bold", animation: "shake" }).success).toBe(false);
    expect(part({}).success).toBe(false);
  });

  test("what is not supported yet is refused, not dropped", () => {
    expect(TextPart.safeParse({ type: "text", value: "hi", mention: "+15550100101" }).success).toBe(false);
  });

  const range = fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
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
        expect(wrongDecoration(text, decorations) !== null).toBe(overlaps);
      }),
      { numRuns: 1000 },
    );
  });
});
