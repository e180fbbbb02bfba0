import { expect, test } from "vitest";
import { deliveryRate, formatDuration, formatShare } from "@/components/home/format-figures";

const NOTHING = {
  sent: 0,
  received: 0,
  delivered: 0,
  failed: 0,
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
  expect(formatShare(0.9846)).toBe("98.5%");
  expect(formatShare(1)).toBe("100%");
  expect(formatShare(null)).toBe("none");
});
