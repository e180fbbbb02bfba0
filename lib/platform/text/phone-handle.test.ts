import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countryOf, Handle, isReachable, normalizeSender } from "@/lib/platform/text/phone-handle";

describe("a sender", () => {
  test.each([
    ["+12025550123", "US", "+12025550123"],
    ["+1 (202) 555-0123", "DE", "+12025550123"],
    ["tel:+1-202-555-0123;ext=5", null, "+12025550123"],
    ["\u202a+1\u00a0202\u2011555\u20110123\u202c", "US", "+12025550123"],
    ["＋12025550123", "US", "+12025550123"],
    ["2025561212", "US", "+12025561212"],
    ["12025561212", "US", "+12025561212"],
    ["(202) 556-1212", "US", "+12025561212"],
    ["5550100101", "US", "+15550100101"],
    ["0151 12345678", "DE", "+4915112345678"],
    ["15112345678", "DE", "+4915112345678"],
    ["4915112345678", "DE", "+4915112345678"],
    ["004915112345678", "DE", "+4915112345678"],
    ["07700900123", "GB", "+447700900123"],
    ["37120000000", "LV", "+37120000000"],
    ["447911123456", "US", "+447911123456"],
    ["011447911123456", "US", "+447911123456"],
    ["Ada@Example.com", "US", "ada@example.com"],
    ["mailto:ada@example.com", null, "ada@example.com"],
  ] as const)("%j on a line of %s is %s, which can be answered", (raw, country, handle) => {
    expect(normalizeSender(raw, country)).toBe(handle);
    expect(isReachable(handle)).toBe(true);
    expect(Handle.safeParse(handle).success).toBe(true);
  });

  test.each([
    ["68849", "US", "68849"],
    ["68849", "DE", "68849"],
    ["+68849", "US", "68849"],
    ["12345", "SE", "12345"],
    ["2025561212", null, "2025561212"],
    ["2025561212", "LV", "2025561212"],
    ["10690001234567", "US", "10690001234567"],
    ["+123456789012345678", "US", "+123456789012345678"],
    ["MyBank", "US", "MyBank"],
    ["SUPPORT", "DE", "SUPPORT"],
    ["1800FLOWERS", "US", "1800FLOWERS"],
    ["whatsapp:+12025550123", "US", "whatsapp:+12025550123"],
    [" Harbor\u200b Cafe ", "US", "Harbor Cafe"],
    ["A\0B\ud800", "US", "AB\ufffd"],
    ["\u200b", "US", ""],
  ] as const)("%j on a line of %s stays %j, and can't be answered", (raw, country, handle) => {
    expect(normalizeSender(raw, country)).toBe(handle);
    expect(isReachable(handle)).toBe(false);
  });

  test("always becomes a storable text that fits a handle", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.constantFrom("US", "DE", null),
        (raw, country) => {
          const once = normalizeSender(raw, country);
          expect(once.length).toBeLessThanOrEqual(254);
          expect(once.isWellFormed()).toBe(true);
          expect(once).not.toContain("\0");
        },
      ),
    );
  });
});

test.each([
  ["+15550000001", "US"],
  ["+12025550100", "US"],
  ["+4915112345678", "DE"],
  ["+447700900123", "GB"],
  ["+37120000000", "LV"],
  ["+1", null],
])("the country of %s is %s", (number, country) => {
  expect(countryOf(number)).toBe(country);
});
