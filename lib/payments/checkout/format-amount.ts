import "server-only";
import type { Language } from "@/lib/payments/checkout/translations";
import { minorDigits } from "@/lib/platform/minor-digits";

/** The currencies offered to people first; the API takes any that the processor does. */
export const OFFERED_CURRENCIES = "usd eur gbp cad aud chf jpy sek nok dkk mxn brl inr sgd nzd".split(" ");

/** Minor units as people write money: `formatAmount(1250, "usd", "en")` is $12.50, `(500, "jpy", "en")` ¥500. */
export function formatAmount(minorUnits: number, currency: string, language: Language): string {
  const digits = minorDigits(currency);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(minorUnits / 10 ** digits);
}
