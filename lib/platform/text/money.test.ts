import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  afterPercentOff,
  amountText,
  formatAmount,
  minorDigits,
  minorUnits,
  readAmount,
  writeAmount,
} from "@/lib/platform/text/money";

const CURRENCIES = Intl.supportedValuesOf("currency");
const currency = fc.constantFrom(...CURRENCIES).chain((code) => fc.constantFrom(code, code.toLowerCase()));
const amount = fc.integer({ min: 0, max: 999_999_999_999 });

test("an amount of 1250 minor units is written with the digits of its currency", () => {
  const written = ["usd", "jpy", "kwd"].map((code) => amountText(minorUnits(1250, code), code));
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
      const digits = formatAmount(minorUnits(minor, code), code, language).replace(/\D/g, "");
      expect(digits).toBe(String(minor).padStart(minorDigits(code) + 1, "0"));
    }),
  );
});

test("a number, a bigint and the text of a bigint column are the same amount, whatever its size", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), currency, (minor, code) => {
      const made = [minor, BigInt(minor), String(minor)].map((value) => minorUnits(value, code));
      expect(made).toEqual([minor, minor, minor]);
    }),
  );
});

test.each([[-1], [0.5], [Number.NaN], [Number.POSITIVE_INFINITY], [2 ** 53], [2n ** 63n], [""], ["12.50"]])(
  "%s is no amount in minor units",
  (value) => expect(() => minorUnits(value, "usd")).toThrow(RangeError),
);

test.each([[""], ["us"], ["US$"], ["usdt"]])("%j is no currency", (code) =>
  expect(() => minorUnits(1, code)).toThrow(RangeError),
);

test.each([
  ["12.50", "usd", 1250],
  ["12,5", "eur", 1250],
  ["12", "usd", 1200],
  ["12.", "usd", 1200],
  ["500", "jpy", 500],
  ["1.234", "kwd", 1234],
  ["5.00", "jpy", null],
  ["1.234", "usd", null],
  ["-1", "usd", null],
  ["", "usd", null],
])("%s of %s is %s", (text, code, minor) => {
  expect(readAmount(text, code)).toBe(minor);
});

test("every amount of every currency is read back from how it is written", () => {
  fc.assert(
    fc.property(amount, currency, (minor, code) => {
      expect(readAmount(writeAmount(minorUnits(minor, code), code), code)).toBe(minor);
    }),
  );
});

test("a discount leaves whole minor units, nothing at 100 percent and everything at 0", () => {
  fc.assert(
    fc.property(amount, currency, fc.integer({ min: 0, max: 100 }), (minor, code, percent) => {
      const left = afterPercentOff(minorUnits(minor, code), code, percent);
      expect(Math.abs(left - (minor * (100 - percent)) / 100)).toBeLessThanOrEqual(0.5 + 1e-6);
      expect(afterPercentOff(left, code, 0)).toBe(left);
      expect(afterPercentOff(left, code, 100)).toBe(0);
    }),
  );
  expect(afterPercentOff(minorUnits(499, "jpy"), "jpy", 50)).toBe(250);
});

describe("outside money.ts", () => {
  const files = ["lib", "app", "components"]
    .flatMap((root) => readdirSync(root, { recursive: true }).map((file) => path.join(root, String(file))))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^lib\/(testing|platform\/prisma)\//.test(file))
    .filter((file) => file !== "lib/platform/text/money.ts")
    .map((file) => [file, readFileSync(file, "utf8")] as const);

  test("no file about money converts between major and minor units", () => {
    const converts = /[*/]=? ?(100\b|0\.01\b|10 ?\*\*|Math\.pow)|\.toFixed\(/;
    expect(matching(converts, (text) => /amount|currency|minor|cents/i.test(text))).toEqual([]);
  });

  test("no file makes minor units by a cast, or formats a currency", () => {
    expect(
      matching(/as MinorUnits|as unknown as|style: "currency"/, (text) => /MinorUnits|currency/.test(text)),
    ).toEqual([]);
  });

  function matching(pattern: RegExp, isAbout: (text: string) => boolean): string[] {
    expect(files.length).toBeGreaterThan(500);
    return files.filter(([, text]) => isAbout(text) && pattern.test(text)).map(([file]) => file);
  }
});
