import "server-only";
import { processorOf } from "@/lib/adapters/processors/registry";
import { fill, type Language, translationsFor } from "@/lib/payments/checkout/translations";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { formatAmount, type MinorUnits, minorUnits } from "@/lib/platform/text/money";

/**
 * The amount that is charged now: nothing for a trial, the first invoice for a discounted subscription
 * (docs/contract.md, section 12.5). null when only the opened payment has the amount.
 */
export function firstAmount(row: PaymentRequestRow): MinorUnits | null {
  const { amountMinor, currency, trialEnd, discount, processor } = row;
  if (trialEnd !== null) return minorUnits(0, currency);
  if (discount === null) return amountMinor;
  return processorOf(processor).afterDiscount?.(amountMinor, currency, discount) ?? null;
}

/** Returns the text of the payment button. `taken` is the opened payment's amount. */
export function payLabel(
  row: PaymentRequestRow,
  language: Language,
  taken: MinorUnits | null = firstAmount(row),
): string {
  const translations = translationsFor(language);
  if (row.trialEnd !== null) return translations.startTrial;
  if (taken === null || taken === 0) return translations.subscribe;
  return fill(translations.pay, { amount: formatAmount(taken, row.currency, language) });
}
