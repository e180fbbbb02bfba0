import fc from "fast-check";
import { expect, test } from "vitest";
import {
  LADDERS,
  ladderSummary,
  ladderText,
  readLadder,
} from "@/components/webhooks/retries/retry-ladder-text";

test("waits are read with and without units, whatever separates them", () => {
  expect(readLadder("10s, 5m;2H\n 1d 30")).toEqual({ seconds: [10, 300, 7200, 86_400, 30] });
});

test("an empty text is the instance's ladder", () => {
  expect(readLadder(" , ")).toEqual({ seconds: null });
  expect(ladderText(null)).toBe("");
});

test.each(["0s", "5x", "-3", "1.5h", "soon", Array(51).fill("1s").join(","), "2d, 1d, 1s"])(
  "the text %s is refused with a reason",
  (text) => expect(readLadder(text)).toEqual({ problem: expect.stringMatching(/\.$/) }),
);

test("property: the text of a ladder is read as the same ladder", () => {
  const ladder = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(ladder, (seconds) => {
      expect(readLadder(ladderText(seconds))).toEqual({ seconds });
    }),
  );
});

test.each([
  ["One day", "9 retries over 23 h 36 min"],
  ["Three days", "11 retries over 2 d 23 h 36 min"],
] as const)("the ladder %s takes %s", (name, summary) => {
  const read = readLadder(LADDERS[name]);
  expect("seconds" in read && read.seconds && ladderSummary(read.seconds)).toBe(summary);
});

test("a short ladder is summed up in seconds", () => {
  expect(ladderSummary([5])).toBe("1 retry over 5 s");
});
