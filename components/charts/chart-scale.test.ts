import fc from "fast-check";
import { expect, test } from "vitest";
import { axisTicks, axisTop, labelIndexes } from "@/components/charts/chart-scale";

test("property: every value fits under the top of the axis, which is at most two and a half times as high", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (max) => {
      expect(axisTop(max)).toBeGreaterThanOrEqual(max * (1 - 1e-12));
      expect(axisTop(max)).toBeLessThanOrEqual(max * 2.5);
    }),
  );
});

test("the axis of counts has whole numbers only", () => {
  expect(axisTicks(axisTop(1))).toEqual([1, 0]);
  expect(axisTicks(axisTop(7))).toEqual([8, 4, 0]);
  expect(axisTicks(axisTop(0))).toEqual([1, 0]);
  expect(axisTicks(axisTop(130))).toEqual([200, 100, 0]);
});

test("property: labels are within the points, in order, and never too many", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 12 }), (count, most) => {
      const indexes = labelIndexes(count, most);
      expect(indexes.length).toBeLessThanOrEqual(most);
      expect(indexes.every((index) => index >= 0 && index < count)).toBe(true);
    }),
  );
});
