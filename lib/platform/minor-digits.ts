// As card processors count minor units, which is not ISO 4217 everywhere: ISK and UGX have two digits with them.
const NO_DIGITS = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DIGITS = new Set("bhd jod kwd omr tnd".split(" "));

/** How many of an amount's last digits stand behind the point: 2 of usd, 0 of jpy. */
export function minorDigits(currency: string): number {
  if (NO_DIGITS.has(currency)) return 0;
  return THREE_DIGITS.has(currency) ? 3 : 2;
}
