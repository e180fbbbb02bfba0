import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTEMPTS_MOST, RETRY_GAPS_SECONDS, retryDelayMs } from "@/lib/webhooks/retry-schedule";

const random = fc.double({ min: 0, max: 1, noNaN: true });
const attempt = fc.integer({ min: 1, max: ATTEMPTS_MOST - 1 });

test("ten retries follow the first attempt, and none the eleventh", () => {
  expect(ATTEMPTS_MOST).toBe(11);
  expect(retryDelayMs(10, 0.5)).not.toBeNull();
  expect(retryDelayMs(11, 0.5)).toBeNull();
});

test("without jitter the gaps are those of the specification, 25 minutes in all", () => {
  const gaps = RETRY_GAPS_SECONDS.map((_, index) => retryDelayMs(index + 1, 0.5));
  expect(gaps).toEqual([2, 4, 8, 16, 30, 60, 120, 240, 420, 600].map((seconds) => seconds * 1000));
  expect(RETRY_GAPS_SECONDS.reduce((sum: number, gap) => sum + gap, 0)).toBe(25 * 60);
});

test("property: a gap stays within a tenth of its length and never exceeds ten minutes", () => {
  fc.assert(
    fc.property(attempt, random, (number, at) => {
      const delay = retryDelayMs(number, at) ?? Number.NaN;
      const gap = (RETRY_GAPS_SECONDS[number - 1] ?? Number.NaN) * 1000;
      expect(delay).toBeGreaterThanOrEqual(gap * 0.9 - 1);
      expect(delay).toBeLessThanOrEqual(Math.min(gap * 1.1 + 1, 600_000));
    }),
  );
});

test("property: whatever the jitter, each gap is longer than the one before and all take 22 to 27 minutes", () => {
  fc.assert(
    fc.property(fc.array(random, { minLength: 10, maxLength: 10 }), (jitter) => {
      const gaps = jitter.map((at, index) => retryDelayMs(index + 1, at) ?? Number.NaN);
      for (const [index, gap] of gaps.entries())
        if (index > 0) expect(gap).toBeGreaterThan(gaps[index - 1] ?? 0);
      const minutes = gaps.reduce((sum, gap) => sum + gap, 0) / 60_000;
      expect(minutes).toBeGreaterThan(22);
      expect(minutes).toBeLessThan(27);
    }),
  );
});
