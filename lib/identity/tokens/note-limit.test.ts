import { expect, test } from "vitest";
import { createNoteLimit } from "@/lib/identity/tokens/note-limit";

const MINUTE = 60_000;

function limit() {
  return createNoteLimit({ quietMs: 60 * MINUTE, maxPerMinute: 3, maxMemoized: 5 });
}

test("the same key is noted once in an hour", () => {
  const mayNote = limit();

  expect([0, 1, 59 * MINUTE, 60 * MINUTE].map((atMs) => mayNote("a", atMs))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("many keys are noted up to the limit of the minute, and again in the next", () => {
  const mayNote = limit();

  expect(["a", "b", "c", "d"].map((key) => mayNote(key, 1))).toEqual([true, true, true, false]);
  expect(mayNote("d", MINUTE)).toBe(true);
});

test("the oldest keys are forgotten when too many are remembered", () => {
  const mayNote = limit();
  for (let key = 0; key < 6; key++) mayNote(`${key}`, key * MINUTE);

  expect(mayNote("1", 7 * MINUTE)).toBe(false);
  expect(mayNote("0", 7 * MINUTE)).toBe(true);
});
