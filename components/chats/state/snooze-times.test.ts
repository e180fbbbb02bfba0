import { expect, test } from "vitest";
import { snoozeTimes } from "@/components/chats/state/snooze-times";

const HOUR_MS = 3_600_000;

test.each(["2026-11-25T22:30:00", "2026-11-29T08:00:00", "2026-11-30T08:59:59", "2026-12-31T23:59:00"])(
  "at %s, every offered end is later, the ends ascend, and each has its own time",
  (at) => {
    const nowMs = new Date(at).getTime();
    const ends = snoozeTimes(nowMs).map(({ until }) => until.getTime());
    expect(Math.min(...ends)).toBeGreaterThan(nowMs);
    expect(ends).toEqual([...new Set(ends)].toSorted((a, b) => a - b));
    expect(Math.max(...ends)).toBeLessThanOrEqual(nowMs + 8 * 24 * HOUR_MS);
  },
);

test("mornings are 9:00 in the browser's time zone, and Monday is the next one", () => {
  const wednesday = new Date("2026-11-25T22:30:00").getTime();
  const times = Object.fromEntries(snoozeTimes(wednesday).map(({ label, until }) => [label, until]));
  expect(times["Tomorrow morning"]).toEqual(new Date("2026-11-26T09:00:00"));
  expect(times["Monday morning"]).toEqual(new Date("2026-11-30T09:00:00"));
});

test("on Sunday, Monday morning is offered once, as tomorrow", () => {
  const sunday = new Date("2026-11-29T12:00:00").getTime();
  expect(snoozeTimes(sunday).map(({ label }) => label)).not.toContain("Monday morning");
});
