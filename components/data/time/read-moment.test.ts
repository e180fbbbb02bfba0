import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoment } from "@/components/data/time/format-time";
import { readMoment } from "@/components/data/time/read-moment";
import { momentText } from "@/lib/client/moment-text";

/** A Wednesday afternoon in the zone of the machine. */
const NOW = new Date(2026, 10, 25, 15, 30, 20);

test.each<[string, Date]>([
  ["yesterday 2pm", new Date(2026, 10, 24, 14, 0)],
  ["Yesterday at 14:05", new Date(2026, 10, 24, 14, 5)],
  ["yesterday, 2:30 pm", new Date(2026, 10, 24, 14, 30)],
  ["yesterday", new Date(2026, 10, 24)],
  ["today 9am", new Date(2026, 10, 25, 9)],
  ["9am", new Date(2026, 10, 25, 9)],
  ["12am", new Date(2026, 10, 25)],
  ["12pm", new Date(2026, 10, 25, 12)],
  ["at 14:05:06", new Date(2026, 10, 25, 14, 5, 6)],
  ["16:00", new Date(2026, 10, 24, 16)],
  ["monday 9:30", new Date(2026, 10, 23, 9, 30)],
  ["last mon 9:30", new Date(2026, 10, 23, 9, 30)],
  ["wednesday", new Date(2026, 10, 18)],
  ["thu 8pm", new Date(2026, 10, 19, 20)],
  ["24 nov 14:05", new Date(2026, 10, 24, 14, 5)],
  ["Nov 24th, 2pm", new Date(2026, 10, 24, 14)],
  ["november 24", new Date(2026, 10, 24)],
  ["3 dec", new Date(2025, 11, 3)],
  ["3 december 2024 7:00", new Date(2024, 11, 3, 7)],
  ["3h ago", new Date(2026, 10, 25, 12, 30, 20)],
  ["90 min", new Date(2026, 10, 25, 14, 0, 20)],
  ["2 days ago", new Date(2026, 10, 23, 15, 30, 20)],
  ["now", NOW],
  ["2026-11-24", new Date(2026, 10, 24)],
  ["2026-11-24 14:05", new Date(2026, 10, 24, 14, 5)],
  ["2026-11-24T14:05:06.123Z", new Date(Date.UTC(2026, 10, 24, 14, 5, 6, 123))],
  ["2026-11-24 14:05:06,123 UTC", new Date(Date.UTC(2026, 10, 24, 14, 5, 6, 123))],
  ["2026-11-24T14:05:06+0200", new Date(Date.UTC(2026, 10, 24, 12, 5, 6))],
  ["2026-11-24T14:05:06.123456789+02:00", new Date(Date.UTC(2026, 10, 24, 12, 5, 6, 123))],
  ["1764079506", new Date(1_764_079_506_000)],
  ["1764079506123", new Date(1_764_079_506_123)],
  ["1764079506.123456", new Date(1_764_079_506_123)],
  ["Tue, 24 Nov 2026 14:05:06 GMT", new Date(Date.UTC(2026, 10, 24, 14, 5, 6))],
  ["[24/Nov/2026:14:05:06 +0000]", new Date(Date.UTC(2026, 10, 24, 14, 5, 6))],
  ["24 Nov 2026, 14:05:06 UTC", new Date(Date.UTC(2026, 10, 24, 14, 5, 6))],
])("%s is read", (text, moment) => {
  expect(readMoment(text, NOW)).toEqual(moment);
});

test.each([
  "",
  "soon",
  "25:00",
  "13pm",
  "0am",
  "31 feb",
  "2026-13-01",
  "noon-ish",
  "14",
  "tomorrow",
  "12345",
])("the text %s is no time", (text) => expect(readMoment(text, NOW)).toBeNull());

test("property: a time that a page or the API shows can be pasted", () => {
  const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (date) => {
      expect(readMoment(date.toISOString(), NOW)).toEqual(date);
      const shown = new Date(Math.floor(date.getTime() / 1000) * 1000);
      expect(readMoment(formatMoment(date.getTime(), "UTC"), NOW)).toEqual(shown);
      expect(readMoment(date.toString(), NOW)).toEqual(shown);
    }),
  );
});

const ZONES = [
  "UTC",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Athens",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
];

/** Changes to and from summer time in 2026, in Europe and North America. */
const CHANGES = ["2026-03-08T07:00Z", "2026-03-29T01:00Z", "2026-10-25T01:00Z", "2026-11-01T06:00Z"].map(
  Date.parse,
);

test("property: a field reads its own text as the same time, in every zone and on both sides of a change of the clocks", () => {
  const anyTime = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) });
  const nearChange = fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -7_200_000, max: 7_200_000 }))
    .map(([change, distance]) => change + distance);
  const wholeMinute = anyTime.map((ms) => ms - (ms % 60_000));
  fc.assert(
    fc.property(fc.oneof(anyTime, wholeMinute, nearChange), fc.constantFrom(...ZONES), (ms, zone) => {
      expect(readMoment(momentText(ms, zone), NOW)?.getTime()).toBe(ms);
    }),
    { numRuns: 1000 },
  );
});
