import { expect, test } from "vitest";
import { formatClock, formatDate, formatMoment, formatRelative } from "@/components/data/time/format-time";

const now = Date.parse("2026-01-21T21:59:45.191Z");
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, "just now"],
  [19 * second, "just now"],
  [20 * second, "20 sec ago"],
  [minute - 1, "59 sec ago"],
  [minute, "1 min ago"],
  [hour - 1, "59 min ago"],
  [hour, "1 hr ago"],
  [day, "1 d ago"],
  [7 * day - 1, "6 d ago"],
  [-19 * second, "just now"],
  [-2 * hour, "in 2 hr"],
])("%i ms ago reads %s", (ageMs, words) => {
  expect(formatRelative(now - ageMs, now)).toBe(words);
});

test("a time a week or more away has no relative form", () => {
  expect(formatRelative(now - 7 * day, now)).toBeNull();
  expect(formatRelative(now + 7 * day, now)).toBeNull();
});

test("dates and times depend on the time zone", () => {
  expect(formatDate(now, "UTC")).toBe("21 Jan 2026");
  expect(formatDate(now, "Asia/Tokyo")).toBe("22 Jan 2026");
  expect(formatClock(now, "Asia/Tokyo")).toBe("06:59");
  expect(formatMoment(now, "UTC")).toBe("21 Jan 2026, 21:59:45 UTC");
});
