import fc from "fast-check";
import { expect, test } from "vitest";
import {
  hasValidAmounts,
  limitsOf,
  newLimit,
  refuseAmount,
  toSettings,
} from "@/components/agent-payments/limits";

const SETTINGS = {
  max_per_payment_cents: 5000,
  max_per_handle_day_cents: null,
  approval_above_cents: 10_000,
  currency_limits: {
    jpy: { max_per_payment_cents: 8000, max_per_handle_day_cents: 20_000, approval_above_cents: 0 },
  },
  merchant_allow_list: ["harbor.example"],
};

test("limits are formatted in major units with the currency's number of decimals", () => {
  expect(limitsOf(SETTINGS)).toEqual({
    currencies: [
      { currency: "jpy", perPayment: "8000", perDay: "20000", approvalAbove: "0" },
      { currency: null, perPayment: "50.00", perDay: "", approvalAbove: "100.00" },
    ],
    merchants: "harbor.example",
  });
});

test("limits that are shown and not changed are saved as they were", () => {
  const cents = fc.option(fc.integer({ min: 0, max: 100_000_000 }));
  const limits = fc.record({
    max_per_payment_cents: cents,
    max_per_handle_day_cents: cents,
    approval_above_cents: fc.integer({ min: 0, max: 100_000_000 }),
  });
  const settings = fc
    .record({ others: limits, usd: limits, jpy: limits, kwd: limits })
    .map(({ others, ...currency_limits }) => ({ ...others, currency_limits, merchant_allow_list: [] }));
  fc.assert(
    fc.property(settings, (known) => {
      const shown = limitsOf(known);
      expect(hasValidAmounts(shown)).toBe(true);
      expect(toSettings(shown)).toEqual(known);
    }),
  );
});

test("a new currency starts with the default limits, in its own number of decimals", () => {
  const limits = limitsOf({ ...SETTINGS, currency_limits: {} });
  expect(newLimit("jpy", limits)).toEqual({
    currency: "jpy",
    perPayment: "5000",
    perDay: "",
    approvalAbove: "10000",
  });
});

test.each([
  ["", null, false, null],
  ["", "usd", true, "Enter an amount. 0 always requires the passkey."],
  ["12.345", null, false, "Enter an amount, for example 12.50."],
  ["12.345", "usd", false, "Enter an amount, for example 12.50."],
  ["12.3456", "kwd", false, "Enter an amount, for example 12.500."],
  ["12.5", "jpy", false, "Enter a whole amount, for example 5000."],
  ["12.5", "kwd", true, null],
])("%j of %s, required %s: %s", (text, currency, isRequired, reason) => {
  expect(refuseAmount(text, currency, isRequired)).toBe(reason);
});
