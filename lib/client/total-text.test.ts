import { expect, test } from "vitest";
import { totalText } from "@/lib/client/total-text";

const NOUN = { one: "delivery", many: "deliveries" };

test("a list whose rows are all loaded has as many as it shows, whatever the first page counted", () => {
  expect(totalText(NOUN, { rows: 1, hasMore: false, total: undefined })).toBe("1 delivery");
  expect(totalText(NOUN, { rows: 0, hasMore: false, total: null })).toBe("0 deliveries");
  expect(totalText(NOUN, { rows: 51, hasMore: false, total: { count: 52, is_capped: false } })).toBe(
    "51 deliveries",
  );
});

test("a list with further pages shows its total, and a plus sign where rows were not counted", () => {
  const more = { rows: 50, hasMore: true };
  expect(totalText(NOUN, { ...more, total: { count: 1234, is_capped: false } })).toBe("1,234 deliveries");
  expect(totalText(NOUN, { ...more, total: { count: 10_000, is_capped: true } })).toBe("10,000+ deliveries");
  expect(totalText(NOUN, { ...more, total: null })).toBe("50+ deliveries");
});

test("the total is never less than the rows that are loaded", () => {
  const total = { count: 10_000, is_capped: true };
  expect(totalText(NOUN, { rows: 10_050, hasMore: true, total })).toBe("10,050+ deliveries");
});
