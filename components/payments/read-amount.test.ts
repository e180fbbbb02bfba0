import fc from "fast-check";
import { expect, test } from "vitest";
import { readAmount } from "@/components/payments/read-amount";
import { writeAmount } from "@/components/payments/write-amount";

test.each([
  ["12.50", 2, 1250],
  ["12,5", 2, 1250],
  ["12", 2, 1200],
  ["12.", 2, 1200],
  ["500", 0, 500],
  ["5.00", 0, null],
  ["1.234", 2, null],
  ["-1", 2, null],
  ["", 2, null],
])("%s with %i digits is %s", (text, digits, amount) => {
  expect(readAmount(text, digits)).toBe(amount);
});

test("every amount is read back from how it is written", () => {
  const amounts = fc.tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom(0, 2, 3));
  fc.assert(
    fc.property(amounts, ([amount, digits]) => {
      expect(readAmount(writeAmount(amount, digits), digits)).toBe(amount);
    }),
  );
});
