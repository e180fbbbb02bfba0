import "server-only";
import type { Price } from "@/lib/adapters/processors/processor";
import { minorUnits } from "@/lib/platform/text/money";

/** The prices of every sandbox account. */
export const TEST_PRICES: ReadonlyMap<string, Price> = new Map(
  Object.entries({
    price_test_monthly: price(900, "usd", "month", 1),
    price_test_quarterly: price(2400, "usd", "month", 3),
    price_test_yearly: price(9000, "eur", "year", 1),
    price_test_weekly_jpy: price(500, "jpy", "week", 1),
    price_test_inactive: { ...price(900, "usd", "month", 1), isActive: false },
  }),
);

/** The customers of every sandbox account, besides those created for subscriptions. */
export const TEST_CUSTOMERS: ReadonlySet<string> = new Set(["cus_test_ada", "cus_test_grace"]);

/** The discount of a coupon or promotion code on the first invoice, in percent. */
export const TEST_DISCOUNTS: ReadonlyMap<string, number> = new Map(
  Object.entries({ coupon_test_half: 50, coupon_test_tenth: 10, promo_test_half: 50 }),
);

/** The currencies that the sandbox accepts: all active currencies of ISO 4217. */
export const TEST_CURRENCIES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()),
);

function price(
  unitAmount: number,
  currency: string,
  interval: Price["interval"],
  intervalCount: number,
): Price {
  return {
    isActive: true,
    currency,
    unitAmountMinor: minorUnits(unitAmount, currency),
    interval,
    intervalCount,
  };
}
