import "server-only";
import type { Language } from "@/lib/checkout/words";

// As card processors count minor units, which is not ISO 4217 everywhere: ISK and UGX have two digits with them.
const NO_DIGITS = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DIGITS = new Set("bhd jod kwd omr tnd".split(" "));

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

/** How many of an amount's last digits stand behind the point: 2 of usd, 0 of jpy. */
export function minorDigits(currency: string): number {
  if (NO_DIGITS.has(currency)) return 0;
  return THREE_DIGITS.has(currency) ? 3 : 2;
}
