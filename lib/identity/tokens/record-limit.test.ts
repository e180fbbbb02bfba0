import { expect, test } from "vitest";
import { createRecordLimit } from "@/lib/identity/tokens/record-limit";

const MINUTE = 60_000;

function limit() {
  return createRecordLimit({ quietMs: 60 * MINUTE, maxPerMinute: 3, maxMemoized: 5 });
}

test("the same key is recorded once per hour", () => {
  const mayRecord = limit();

  expect([0, 1, 59 * MINUTE, 60 * MINUTE].map((atMs) => mayRecord("a", atMs))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("keys beyond the limit of a minute are recorded in the next minute", () => {
  const mayRecord = limit();

  expect(["a", "b", "c", "d"].map((key) => mayRecord(key, 1))).toEqual([true, true, true, false]);
  expect(mayRecord("d", MINUTE)).toBe(true);
});

test("the oldest keys are dropped when too many are stored", () => {
  const mayRecord = limit();
  for (let key = 0; key < 6; key++) mayRecord(`${key}`, key * MINUTE);

  expect(mayRecord("1", 7 * MINUTE)).toBe(false);
  expect(mayRecord("0", 7 * MINUTE)).toBe(true);
});
