import { expect, test } from "vitest";
import { countHeld } from "@/components/list/held-rows";

const key = (row: string) => row;

test("rows above the first row that the reader saw wait", () => {
  expect(countHeld(["d", "c", "b", "a"], key, "b")).toBe(2);
  expect(countHeld(["b", "a"], key, "b")).toBe(0);
});

test("a list that follows, and one whose first row is gone, holds nothing back", () => {
  expect(countHeld(["b", "a"], key, null)).toBe(0);
  expect(countHeld(["b", "a"], key, "deleted")).toBe(0);
});
