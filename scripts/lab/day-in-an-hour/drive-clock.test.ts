import { describe, expect, test } from "vitest";
import { toWallTime } from "./drive-clock.mjs";

/** The clock ran normally until 1000, then skipped 5000 ms, and at 2000 another 7000 ms. */
const CHANGES = [
  { at: 0, offsetMs: 0 },
  { at: 1000, offsetMs: 5000 },
  { at: 2000, offsetMs: 12_000 },
];

describe("the wall-clock time of a platform time", () => {
  test("is the same before the first change", () => {
    expect(toWallTime(900, CHANGES)).toBe(900);
  });

  test("is the time less the offset between two changes", () => {
    expect(toWallTime(6400, CHANGES)).toBe(1400);
    expect(toWallTime(14_500, CHANGES)).toBe(2500);
  });

  test("is the time of the change that skipped it", () => {
    expect(toWallTime(3000, CHANGES)).toBe(1000);
    expect(toWallTime(13_999, CHANGES)).toBe(2000);
  });
});
