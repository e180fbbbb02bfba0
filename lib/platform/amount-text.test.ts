import { expect, test } from "vitest";
import { formatAmount } from "@/lib/payments/checkout/format-amount";
import { amountText } from "@/lib/platform/amount-text";

test("a card, the dashboard and the checkout write an amount alike, whatever the currency counts in", () => {
  for (const currency of Intl.supportedValuesOf("currency").map((code) => code.toLowerCase())) {
    expect(amountText(123_456, currency)).toBe(formatAmount(123_456, currency, "en"));
  }
  expect([amountText(1250, "usd"), amountText(1250, "jpy"), amountText(1250, "kwd")]).toEqual([
    "$12.50",
    "¥1,250",
    "KWD\u00a01.250",
  ]);
});
