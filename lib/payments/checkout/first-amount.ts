import "server-only";
import { processorOf } from "@/lib/adapters/processors/registry";
import { fill, type Language, translationsFor } from "@/lib/payments/checkout/translations";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { formatAmount } from "@/lib/platform/money";

/**
 * What paying now takes, in minor units: nothing in a trial, of a discounted subscription its first invoice (contract.md
 * 1.8, 4.3). null while only the opened payment tells.
 */
export function firstAmount({ amount, trialEnd, discount, processor }: PaymentRequestRow): number | null {
  if (trialEnd !== null) return 0;
  if (discount === null) return Number(amount);
  return processorOf(processor).afterDiscount?.(Number(amount), discount) ?? null;
}

/** What the button says; `taken` as the opened payment tells it, in minor units. */
export function payLabel(row: PaymentRequestRow, language: Language, taken = firstAmount(row)): string {
  const translations = translationsFor(language);
  if (row.trialEnd !== null) return translations.startTrial;
  if (taken === null || taken === 0) return translations.subscribe;
  return fill(translations.pay, { amount: formatAmount(taken, row.currency, language) });
}
