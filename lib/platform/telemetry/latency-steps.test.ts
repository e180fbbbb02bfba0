import fc from "fast-check";
import { expect, test } from "vitest";
import { latencyStep, percentileOf } from "@/lib/platform/telemetry/latency-steps";

const latencies = fc.array(fc.double({ min: 1, max: 10_000, noNaN: true }), { minLength: 1, maxLength: 300 });

function counted(values: readonly number[]) {
  return values.map((value) => ({ step: latencyStep(value), count: 1 }));
}

test("property: percentiles read from counts are within a tenth of the true ones", () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95), (values, share) => {
      const sorted = values.toSorted((left, right) => left - right);
      const exact = sorted[Math.max(Math.ceil(share * values.length) - 1, 0)] ?? Number.NaN;
      const read = percentileOf(counted(values), share) ?? Number.NaN;
      expect(read / exact).toBeGreaterThan(0.9);
      expect(read / exact).toBeLessThan(1.1);
    }),
  );
});

test("counts of one step may come in several rows and in any order", () => {
  const rows = [
    { step: 20, count: 1 },
    { step: 5, count: 60 },
    { step: 20, count: 4 },
    { step: 5, count: 35 },
  ];
  expect(percentileOf(rows, 0.95)).toBeLessThan(3);
  expect(percentileOf(rows, 0.96)).toBeGreaterThan(30);
  expect(percentileOf([], 0.5)).toBeNull();
});

test("latencies under a millisecond and over every limit have a step", () => {
  expect(latencyStep(0)).toBe(0);
  expect(latencyStep(1)).toBe(0);
  expect(latencyStep(3_600_000)).toBe(60);
});
