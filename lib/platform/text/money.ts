declare const unit: unique symbol;

/**
 * An amount in the minor units of its currency: 1250 of usd is $12.50, of jpy ¥1,250, of kwd KWD 1.250. Only `minorUnits`,
 * `afterPercentOff` and `readAmount` create one, and rows contain them in columns that end in `_minor`. A number in another
 * unit does not compile. Names of amount fields end in `minor`. The wire keeps the specification's names (`amount_cents`,
 * `amount`).
 */
export type MinorUnits = number & { readonly [unit]: "minor units" };

// The digits that card processors use, which sometimes differ from ISO 4217: here ISK and UGX have two.
const NO_DIGITS = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DIGITS = new Set("bhd jod kwd omr tnd".split(" "));

const CURRENCY = /^[a-z]{3}$/i;

/**
 * Converts a number, a bigint or the text of a bigint column to minor units of a currency. Throws RangeError unless the
 * value is an integer from 0 to 2^53 - 1 and the currency has three letters.
 */
export function minorUnits(value: number | bigint | string, currency: string): MinorUnits {
  const minor = value === "" ? Number.NaN : Number(value);
  const isAmount = Number.isSafeInteger(minor) && minor >= 0;
  if (!isAmount) throw new RangeError(`not an amount in minor units: ${value}`);
  if (!CURRENCY.test(currency)) throw new RangeError(`not a currency: ${currency}`);
  return minor as MinorUnits;
}

/** Returns the number of decimal digits of a currency: 2 for usd, 0 for jpy, 3 for kwd. */
export function minorDigits(currency: string): number {
  const code = currency.toLowerCase();
  if (NO_DIGITS.has(code)) return 0;
  return THREE_DIGITS.has(code) ? 3 : 2;
}

/** Subtracts a discount in percent from an amount and rounds the rest to whole minor units. */
export function afterPercentOff(minor: MinorUnits, currency: string, percentOff: number): MinorUnits {
  return minorUnits(Math.round((minor * (100 - percentOff)) / 100), currency);
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

/** Formats an amount in American English, as the dashboard and cards show it. */
export function amountText(minor: MinorUnits, currency: string): string {
  return formatAmount(minor, currency, "en-US");
}

/** Formats an amount for an input field: 1250 of usd is "12.50". */
export function writeAmount(minor: MinorUnits, currency: string): string {
  const digits = minorDigits(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/**
 * Parses a typed amount into minor units: "12.50" of usd is 1250. Returns null when the text is not a valid amount of the
 * currency.
 */
export function readAmount(text: string, currency: string): MinorUnits | null {
  const digits = minorDigits(currency);
  const [, whole = "", fraction = ""] = /^\s*(\d{1,12})(?:[.,](\d*))?\s*$/.exec(text) ?? [];
  if (whole === "" || fraction.length > digits) return null;
  return minorUnits(whole + fraction.padEnd(digits, "0"), currency);
}
