import "server-only";
import { formatAmount, type MinorUnits, minorUnits } from "@/lib/platform/text/money";

/** Currencies with three decimal digits, of which card networks settle two (docs.stripe.com/currencies, Three-decimal). */
const ENDS_IN_ZERO = new Set("bhd jod kwd omr tnd".split(" "));
/** Currencies without fractions whose amounts have two digits anyway (docs.stripe.com/currencies, Special cases). */
const WHOLE_UNITS = new Set(["isk", "ugx"]);
/** The smallest charge in minor units by currency (docs.stripe.com/currencies, Minimum and maximum charge amounts). */
const LEAST: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
};
/** Eight digits, in the minor unit of every currency except those below. */
const MAX_MINOR_UNITS = 99_999_999;
const MAX_BY_CURRENCY: Readonly<Record<string, number>> = { idr: 999_999_999_999 };

/** Why Stripe accepts no charge of this amount, in a sentence that starts with the amount; null when it does. */
export function refusedAmount(amountMinor: MinorUnits, currency: string): string | null {
  const code = currency.toLowerCase();
  if (ENDS_IN_ZERO.has(code) && amountMinor % 10 !== 0) {
    return `must end in 0 for ${code}, which has three decimal places of which cards use two: use ${rounded(amountMinor, 10)}`;
  }
  if (WHOLE_UNITS.has(code) && amountMinor % 100 !== 0) {
    return `must end in 00 for ${code}, which has no fractions: use ${rounded(amountMinor, 100)}`;
  }
  const least = LEAST[code] ?? 1;
  if (amountMinor < least) {
    return `must be at least ${least} for ${code} (${formatAmount(minorUnits(least, code), code, "en")})`;
  }
  const most = MAX_BY_CURRENCY[code] ?? MAX_MINOR_UNITS;
  return amountMinor > most
    ? `must be at most ${most} for ${code} (${formatAmount(minorUnits(most, code), code, "en")})`
    : null;
}

function rounded(amountMinor: MinorUnits, step: number): number {
  return Math.max(step, Math.round(amountMinor / step) * step);
}
