/**
 * An amount in the minor units of its currency, an integer: 1250 of usd is $12.50, of jpy ¥1,250, of kwd KWD 1.250.
 * Columns and fields that hold one end in `minor`; the wire keeps the specification's names (`amount_cents`, `amount`).
 */
export type MinorUnits = number;

// As card processors count minor units, which is not ISO 4217 everywhere: ISK and UGX have two digits with them.
const NO_DIGITS = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DIGITS = new Set("bhd jod kwd omr tnd".split(" "));

/** How many of an amount's last digits stand behind the point: 2 of usd, 0 of jpy, 3 of kwd. */
export function minorDigits(currency: string): number {
  const code = currency.toLowerCase();
  if (NO_DIGITS.has(code)) return 0;
  return THREE_DIGITS.has(code) ? 3 : 2;
}

/** An amount as people write it in a language: `formatAmount(1250, "usd", "en")` is $12.50, `(500, "jpy", "en")` ¥500. */
export function formatAmount(minor: MinorUnits, currency: string, language: string): string {
  const digits = minorDigits(currency);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(minor / 10 ** digits);
}

/** An amount in American English, as the dashboard and cards show it. */
export function amountText(minor: MinorUnits, currency: string): string {
  return formatAmount(minor, currency, "en-US");
}

/** An amount as people type it: 1250 with two digits is "12.50". */
export function writeAmount(minor: MinorUnits, digits: number): string {
  return (minor / 10 ** digits).toFixed(digits);
}

/** A typed amount in minor units: "12.50" with two digits is 1250. null when the text is no such amount. */
export function readAmount(text: string, digits: number): MinorUnits | null {
  const [, whole = "", fraction = ""] = /^\s*(\d{1,9})(?:[.,](\d*))?\s*$/.exec(text) ?? [];
  if (whole === "" || fraction.length > digits) return null;
  return Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, "0") || 0);
}
