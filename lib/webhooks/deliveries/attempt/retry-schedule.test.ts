import fc from "fast-check";
import { expect, test } from "vitest";
import { RetryLadder } from "@/lib/platform/time/retry-ladder";
import {
  nextWaitMs as nextWaitOn,
  type RetryState,
  retryDelayMs as retryDelayOn,
} from "@/lib/webhooks/deliveries/attempt/retry-schedule";

const SPECIFIED = RetryLadder.parse(undefined);
const MAX_ATTEMPTS = 11;
const RETRY_WINDOW_MS = 1_500_000;
const retryDelayMs = (number: number, at: number) => retryDelayOn(SPECIFIED, number, at);
const nextWaitMs = (state: RetryState, askedMs: number | null, at: number) =>
  nextWaitOn(SPECIFIED, state, askedMs, at);

const random = fc.double({ min: 0, max: 1, noNaN: true });
const attempt = fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 });

test("ten retries follow the first attempt, and none the eleventh", () => {
  expect(retryDelayMs(10, 0.5)).not.toBeNull();
  expect(retryDelayMs(11, 0.5)).toBeNull();
});

test("without jitter the gaps are those of the specification, 25 minutes in all", () => {
  const gaps = SPECIFIED.map((_, index) => retryDelayMs(index + 1, 0.5));
  expect(gaps).toEqual([2, 4, 8, 16, 30, 60, 120, 240, 420, 600].map((seconds) => seconds * 1000));
  expect(SPECIFIED.reduce((sum, gap) => sum + gap, 0)).toBe(25 * 60);
});

test("property: a gap stays within a tenth of its length and never exceeds ten minutes", () => {
  fc.assert(
    fc.property(attempt, random, (number, at) => {
      const delay = retryDelayMs(number, at) ?? Number.NaN;
      const gap = (SPECIFIED[number - 1] ?? Number.NaN) * 1000;
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

test("a receiver that asks for more time gets it, one that asks for less does not", () => {
  const first = { attempt: 1, waitedMs: 0 };
  expect(nextWaitMs(first, 90_000, 0.5)).toBe(90_000);
  expect(nextWaitMs(first, 1000, 0.5)).toBe(2000);
  expect(nextWaitMs(first, null, 0.5)).toBe(2000);
  expect(nextWaitMs({ attempt: 11, waitedMs: 0 }, 90_000, 0.5)).toBeNull();
});

test("a Retry-After beyond the window is cut to its end, and retries that no longer fit are not made", () => {
  expect(nextWaitMs({ attempt: 1, waitedMs: 0 }, 86_400_000, 0.5)).toBe(RETRY_WINDOW_MS);
  expect(nextWaitMs({ attempt: 3, waitedMs: 600_000 }, 86_400_000, 0.5)).toBe(900_000);
  expect(nextWaitMs({ attempt: 7, waitedMs: RETRY_WINDOW_MS }, null, 0.5)).toBe(120_000);
  expect(nextWaitMs({ attempt: 8, waitedMs: RETRY_WINDOW_MS }, null, 0.5)).toBeNull();
});

const asked = fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: null });

test("property: whatever receivers ask for, waits are never shorter than scheduled and end within the window", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(asked, random), { minLength: 10, maxLength: 10 }), (attempts) => {
      let waitedMs = 0;
      for (const [index, [askedMs, at]] of attempts.entries()) {
        const wait = nextWaitMs({ attempt: index + 1, waitedMs }, askedMs, at);
        if (wait === null) break;
        expect(wait).toBeGreaterThanOrEqual(retryDelayMs(index + 1, at) ?? Number.NaN);
        waitedMs += wait;
      }
      expect(waitedMs).toBeLessThanOrEqual(RETRY_WINDOW_MS * 1.1);
    }),
  );
});

test("property: who asks for nothing gets all ten retries", () => {
  fc.assert(
    fc.property(fc.array(random, { minLength: 10, maxLength: 10 }), (jitter) => {
      let waitedMs = 0;
      for (const [index, at] of jitter.entries()) {
        const wait = nextWaitMs({ attempt: index + 1, waitedMs }, null, at);
        expect(wait).not.toBeNull();
        waitedMs += wait ?? 0;
      }
    }),
  );
});

test("an instance has a ladder of its own: its waits, its end, and its window for Retry-After", () => {
  const ladder = RetryLadder.parse("1, 60,7200");
  expect([1, 2, 3, 4].map((number) => retryDelayOn(ladder, number, 0.5))).toEqual([
    1000,
    60_000,
    7_200_000,
    null,
  ]);
  expect(retryDelayOn(ladder, 3, 1)).toBe(7_200_000);
  expect(nextWaitOn(ladder, { attempt: 1, waitedMs: 0 }, 86_400_000, 0.5)).toBe(7_261_000);
});

test("a setting that is empty is the specification's", () => {
  expect(RetryLadder.parse("")).toEqual(SPECIFIED);
});

test.each(["a", "1,,2", "0", "-1", "1.5", "1;2", "86401", "50000,50000", Array(51).fill("1").join(",")])(
  "a ladder of %s is refused, in words",
  (text) => {
    const { success, error } = RetryLadder.safeParse(text);
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toMatch(/whole seconds|at most one day|at most 50/);
  },
);
