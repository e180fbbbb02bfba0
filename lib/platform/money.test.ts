import fc from "fast-check";
import { expect, test } from "vitest";
import { amountText, formatAmount, minorDigits, readAmount, writeAmount } from "@/lib/platform/money";

const CURRENCIES = Intl.supportedValuesOf("currency");
const currency = fc.constantFrom(...CURRENCIES).chain((code) => fc.constantFrom(code, code.toLowerCase()));
const amount = fc.integer({ min: 0, max: 99_999_999 });

test("an amount of 1250 minor units is written with the digits of its currency", () => {
  const written = ["usd", "jpy", "kwd"].map((code) => amountText(1250, code));
  expect(written).toEqual(["$12.50", "¥1,250", "KWD\u00a01.250"]);
});

test("every currency has 0, 2 or 3 digits, in capital letters too", () => {
  fc.assert(
    fc.property(currency, (code) => {
      expect([0, 2, 3]).toContain(minorDigits(code));
      expect(minorDigits(code.toUpperCase())).toBe(minorDigits(code.toLowerCase()));
    }),
  );
});

test("the digits of what people read are those of the amount, in every currency and language of the checkout", () => {
  fc.assert(
    fc.property(amount, currency, fc.constantFrom("en", "es", "fr", "de"), (minor, code, language) => {
      const digits = formatAmount(minor, code, language).replace(/\D/g, "");
      expect(digits).toBe(String(minor).padStart(minorDigits(code) + 1, "0"));
    }),
  );
});

test.each([
  ["12.50", 2, 1250],
  ["12,5", 2, 1250],
  ["12", 2, 1200],
  ["12.", 2, 1200],
  ["500", 0, 500],
  ["1.234", 3, 1234],
  ["5.00", 0, null],
  ["1.234", 2, null],
  ["-1", 2, null],
  ["", 2, null],
])("%s with %i digits is %s", (text, digits, minor) => {
  expect(readAmount(text, digits)).toBe(minor);
});

test("every amount of every currency is read back from how it is written", () => {
  fc.assert(
    fc.property(amount, currency, (minor, code) => {
      const digits = minorDigits(code);
      expect(readAmount(writeAmount(minor, digits), digits)).toBe(minor);
    }),
  );
});
