import "server-only";

/** An amount in minor units as people read it: 4200 usd is $42.00, 4200 jpy is ¥4,200. */
export function amountText(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountCents / 10 ** digits);
}
