import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTextSegments } from "@/components/chats/parts/text-segments";

const plain = { text_decorations: null, mentions: null, inline_stickers: null };

describe("runs of a text", () => {
  test("a mention inside a bold range is a run of its own", () => {
    const runs = toTextSegments({
      ...plain,
      value: "Hi Ann, hello",
      text_decorations: [{ range: [0, 7], style: "bold" }],
      mentions: [{ handle: "+15550100101", is_me: false, range: [3, 6] }],
    });

    expect(runs.map(({ text, styles, mention }) => [text, styles.length, mention?.handle])).toEqual([
      ["Hi ", 1, undefined],
      ["Ann", 1, "+15550100101"],
      [",", 1, undefined],
      [" hello", 0, undefined],
    ]);
  });

  test("plain text is one run", () => {
    expect(toTextSegments({ ...plain, value: "Hello" })).toMatchObject([{ start: 0, text: "Hello" }]);
  });

  test("property: the runs concatenate to the text, and each has the styles of its first code unit", () => {
    const range = fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 9 })).filter(([start, end]) => start < end);
    fc.assert(
      fc.property(fc.string({ minLength: 9, maxLength: 20 }), fc.array(range), (value, ranges) => {
        const text_decorations = ranges.map((range) => ({ range, style: "italic" as const }));
        const runs = toTextSegments({ ...plain, value, text_decorations });
        expect(runs.map(({ text }) => text).join("")).toBe(value);
        for (const { start, styles } of runs) {
          expect(styles).toHaveLength(ranges.filter(([from, to]) => from <= start && start < to).length);
        }
      }),
    );
  });
});
