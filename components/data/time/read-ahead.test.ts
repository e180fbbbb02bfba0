import { expect, test } from "vitest";
import { readAhead } from "@/components/data/time/read-ahead";

/** A Wednesday. */
const NOW = new Date("2026-11-25T12:00:00");

test.each([
  ["in 1 hour", "2026-11-25T13:00:00"],
  ["90 min", "2026-11-25T13:30:00"],
  ["in 2d", "2026-11-27T12:00:00"],
  ["tomorrow 9am", "2026-11-26T09:00:00"],
  ["Tomorrow at 14:05", "2026-11-26T14:05:00"],
  ["tomorrow", "2026-11-26T00:00:00"],
  ["today 18:00", "2026-11-25T18:00:00"],
  ["14:05", "2026-11-25T14:05:00"],
  ["at 9am", "2026-11-26T09:00:00"],
  ["monday 9:30", "2026-11-30T09:30:00"],
  ["next monday 9:30", "2026-11-30T09:30:00"],
  ["wednesday 9:00", "2026-12-02T09:00:00"],
  ["wednesday 15:00", "2026-11-25T15:00:00"],
  ["27 nov 14:05", "2026-11-27T14:05:00"],
  ["2 dec", "2026-12-02T00:00:00"],
  ["3 jan 8:00", "2027-01-03T08:00:00"],
  ["2026-12-01 09:00", "2026-12-01T09:00:00"],
])("%s is ahead", (text, expected) => {
  expect(readAhead(text, NOW)).toEqual(new Date(expected));
});

test.each(["", "soon", "yesterday 2pm", "today 9:00", "3h ago", "2026-11-24 09:00", "now"])(
  "%s is no time to come",
  (text) => {
    expect(readAhead(text, NOW)).toBeNull();
  },
);

test("a time has an instant of its own in every zone", () => {
  expect(readAhead("2026-12-01T09:00:00+01:00", NOW)).toEqual(new Date("2026-12-01T08:00:00Z"));
});
