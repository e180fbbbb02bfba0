/**
 * An amount in the minor units of its currency, an integer: 1250 of usd is $12.50, of jpy ¥1,250, of kwd KWD 1.250.
 * Names of amount columns and fields end in `minor`. The wire keeps the specification's names (`amount_cents`,
 * `amount`).
 */
export type MinorUnits = number;

// As card processors count minor units, which sometimes differs from ISO 4217: ISK and UGX have two digits here.
const NO_DIGITS = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DIGITS = new Set("bhd jod kwd omr tnd".split(" "));

/** Returns the number of decimal digits of a currency: 2 for usd, 0 for jpy, 3 for kwd. */
export function minorDigits(currency: string): number {
  const code = currency.toLowerCase();
  if (NO_DIGITS.has(code)) return 0;
  return THREE_DIGITS.has(code) ? 3 : 2;
}

/** Formats an amount in a language: `formatAmount(1250, "usd", "en")` is $12.50, `(500, "jpy", "en")` is ¥500. */
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

/** Formats an amount for an input field: 1250 with two digits is "12.50". */
export function writeAmount(minor: MinorUnits, digits: number): string {
  return (minor / 10 ** digits).toFixed(digits);
}

/**
 * Parses a typed amount into minor units: "12.50" with two digits is 1250. Returns null when the text is not a valid
 * amount.
 */
export function readAmount(text: string, digits: number): MinorUnits | null {
  const [, whole = "", fraction = ""] = /^\s*(\d{1,9})(?:[.,](\d*))?\s*$/.exec(text) ?? [];
  if (whole === "" || fraction.length > digits) return null;
  return Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, "0") || 0);
}
