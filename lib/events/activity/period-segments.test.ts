import fc from "fast-check";
import { expect, test } from "vitest";
import { periodSegments } from "@/lib/events/activity/period-segments";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 20);

test("property: the segments of a range contain each quarter of an hour once, whole days as days", () => {
  const quarter = 15 * MINUTE_MS;
  const start = fc.integer({ min: 0, max: 400 }).map((quarters) => MIDNIGHT + quarters * quarter);
  fc.assert(
    fc.property(start, fc.integer({ min: 0, max: 5 * DAY_MS }), (from, length) => {
      const segments = periodSegments(new Date(from), new Date(from + length));
      expect(segments[0]?.from.getTime()).toBe(from);
      expect(segments.at(-1)?.to.getTime()).toBe(Math.floor((from + length) / quarter) * quarter + quarter);
      for (const [index, { from: begin, to, minutes }] of segments.entries()) {
        if (index > 0) expect(segments[index - 1]?.to).toEqual(begin);
        expect(begin < to).toBe(true);
        if (minutes === 1440) expect([begin.getTime() % DAY_MS, to.getTime() % DAY_MS]).toEqual([0, 0]);
        else expect(to.getTime() - begin.getTime()).toBeLessThanOrEqual(2 * DAY_MS);
      }
    }),
  );
});
