import "server-only";
import { minorDigits } from "@/lib/platform/minor-digits";

/** An amount in minor units as people read it: 4200 usd is $42.00, 4200 jpy is ¥4,200. */
export function amountText(amountCents: number, currency: string): string {
  const digits = minorDigits(currency);
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amountCents / 10 ** digits);
}
