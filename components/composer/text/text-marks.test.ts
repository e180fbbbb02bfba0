import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isMarked,
  type Mark,
  markableRange,
  moveMarks,
  setAnimation,
  setMention,
  toggleStyle,
} from "@/components/composer/text/text-marks";
import { toTextPart } from "@/components/composer/to-content";
import { TextPart } from "@/lib/messaging/content/text-part";
import { ANIMATIONS, STYLES } from "@/lib/messaging/content/text-styles";

const bold = (start: number, end: number): Mark => ({ start, end, type: "style", name: "bold" });

test.each([
  ["typed before it", "ab CD", "xab CD", 1, [4, 6]],
  ["typed at its beginning", "ab CD", "ab xCD", 4, [4, 6]],
  ["typed in it", "ab CD", "ab CxD", 5, [3, 6]],
  ["typed at its end", "ab CD", "ab CDx", 6, [3, 5]],
  ["the same letter typed before it", "ab CD", "ab CCD", 4, [4, 6]],
  ["a letter of it deleted", "ab CD", "ab D", 3, [3, 4]],
  ["its beginning replaced by a paste", "ab CD", "a--D", 3, [3, 4]],
  ["an emoji typed before it", "ab CD", "😀ab CD", 2, [5, 7]],
])("a mark stays on its letters when the edit is: %s", (_, before, after, cursor, range) => {
  const [moved] = moveMarks([bold(3, 5)], { before, after, cursor });
  expect([moved?.start, moved?.end]).toEqual(range);
});

test("a mark is removed when all its letters are replaced, and a mention when one letter changes", () => {
  expect(moveMarks([bold(3, 5)], { before: "ab CD", after: "ab x", cursor: 4 })).toEqual([]);
  const mention: Mark = { start: 0, end: 3, type: "mention", name: "+15550100101" };
  expect(moveMarks([mention], { before: "Ann!", after: "Anna!", cursor: 4 })).toEqual([mention]);
  expect(moveMarks([mention], { before: "Ann!", after: "An!", cursor: 2 })).toEqual([]);
});

test("toggling a style applies it to the whole selection, or removes it if the whole selection has it", () => {
  const half = toggleStyle([bold(0, 3)], { start: 2, end: 6 }, "bold");
  expect(half).toEqual([bold(0, 6)]);
  expect(isMarked(half, { start: 1, end: 5 }, "bold")).toBe(true);
  expect(toggleStyle(half, { start: 2, end: 4 }, "bold")).toEqual([bold(0, 2), bold(4, 6)]);
});

test("without a selection, the range is the word at the cursor", () => {
  expect(markableRange("one two", { start: 5, end: 5 })).toEqual({ start: 4, end: 7 });
  expect(markableRange("one  two", { start: 4, end: 4 })).toBeNull();
});

const piece = fc.constantFrom("a", "b", " ", "é", "😀", "👩‍👧", "\n");
const text = fc.array(piece, { maxLength: 12 });

type PendingAction = {
  type: "type" | "style" | "animate" | "mention";
  at: number;
  length: number;
  insert: string[];
  look: number;
};
const action: fc.Arbitrary<PendingAction> = fc.record({
  type: fc.constantFrom("type", "style", "animate", "mention"),
  at: fc.nat(12),
  length: fc.nat(5),
  insert: fc.array(piece, { maxLength: 4 }),
  look: fc.nat(7),
});

// Pieces are whole characters, because a text field never selects part of one.
function apply(
  state: { pieces: string[]; marks: Mark[] },
  { type, at, length, insert, look }: PendingAction,
) {
  const { pieces, marks } = state;
  const begin = Math.min(at, pieces.length);
  const start = pieces.slice(0, begin).join("").length;
  const end = pieces.slice(0, begin + length).join("").length;
  if (type === "type") {
    const next = pieces.toSpliced(begin, length, ...insert);
    const cursor = start + insert.join("").length;
    const edit = { before: pieces.join(""), after: next.join(""), cursor };
    return { pieces: next, marks: moveMarks(marks, edit) };
  }
  if (start === end) return state;
  const range = { start, end };
  if (type === "style") return { pieces, marks: toggleStyle(marks, range, STYLES[look % 4] ?? "bold") };
  if (type === "mention") return { pieces, marks: setMention(marks, range, "+15550100101") };
  return { pieces, marks: setAnimation(marks, range, ANIMATIONS[look] ?? null) };
}

test("property: the API accepts any sequence of typing and formatting", () => {
  fc.assert(
    fc.property(text, fc.array(action, { maxLength: 25 }), (pieces, actions) => {
      const { pieces: last, marks } = actions.reduce(apply, { pieces, marks: [] as Mark[] });
      const value = last.join("");
      fc.pre(value !== "");
      expect(TextPart.safeParse(toTextPart(value, marks)).error).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test("property: marks before and after an edit stay on the same letters", () => {
  fc.assert(
    fc.property(text, text, text, text, (ahead, gone, come, behind) => {
      const [left, right] = [ahead.join(""), behind.join("")];
      const before = left + gone.join("") + right;
      const after = left + come.join("") + right;
      const marks = [bold(0, left.length), bold(before.length - right.length, before.length)].filter(
        (mark) => mark.start < mark.end,
      );
      const cursor = left.length + come.join("").length;
      const kept = moveMarks(marks, { before, after, cursor }).map((mark) =>
        after.slice(mark.start, mark.end),
      );
      expect(kept.join("")).toBe(marks.map((mark) => before.slice(mark.start, mark.end)).join(""));
    }),
    { numRuns: 500 },
  );
});
