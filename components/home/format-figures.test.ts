import { expect, test } from "vitest";
import {
  deliveryRate,
  failureRate,
  formatChange,
  formatDuration,
  formatPoints,
  formatShare,
} from "@/components/home/format-figures";

const NOTHING = {
  sent: 0,
  received: 0,
  delivered: 0,
  failed: 0,
  failed_after_sent: 0,
  delivery_p50_ms: null,
  delivery_p95_ms: null,
  opted_out: 0,
  payments_succeeded: 0,
  payments_declined: 0,
};

test("durations have the unit that a reader would choose", () => {
  expect([null, 0, 819.6, 3200, 90_000, 7_560_000].map(formatDuration)).toEqual([
    "none",
    "0 ms",
    "820 ms",
    "3.2 s",
    "1.5 min",
    "2.1 h",
  ]);
});

test("the delivery rate is of sent and failed messages, never above 1, and unknown without messages", () => {
  expect(deliveryRate(NOTHING)).toBeNull();
  expect(deliveryRate({ ...NOTHING, sent: 8, failed: 2, delivered: 8 })).toBe(0.8);
  expect(deliveryRate({ ...NOTHING, sent: 1, delivered: 3 })).toBe(1);
  expect(deliveryRate({ ...NOTHING, sent: 10, failed: 2, failed_after_sent: 2, delivered: 8 })).toBe(0.8);
  expect(failureRate({ ...NOTHING, sent: 10, failed: 4, failed_after_sent: 2, delivered: 8 })).toBeCloseTo(
    1 / 3,
  );
  expect(failureRate({ ...NOTHING, failed: 3, failed_after_sent: 3 })).toBe(1);
  expect(failureRate(NOTHING)).toBeNull();
  expect(formatShare(0.9846)).toBe("98.5%");
  expect(formatShare(1)).toBe("100%");
  expect(formatShare(null)).toBe("none");
});

test.each([
  [112, 100, "+12%"],
  [50, 100, "\u221250%"],
  [100, 100, "±0%"],
  [1000.2, 1000, "±0%"],
  [5, 0, null],
  [0, 5, "\u2212100%"],
  [null, 5, null],
  [5, null, null],
])("a figure of %j after %j changed by %j", (now, before, text) => {
  expect(formatChange(now, before)).toBe(text);
});

test("shares differ by points", () => {
  expect(formatPoints(0.985, 0.973)).toBe("+1.2 points");
  expect(formatPoints(0.9, 1)).toBe("\u221210 points");
  expect(formatPoints(null, 1)).toBeNull();
});
