import "server-only";
import { type CheckoutBranding, findBranding } from "@/lib/payments/checkout/checkout-branding";
import { checkRequest } from "@/lib/payments/requests/expire-payment-requests";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { now } from "@/lib/platform/time/clock";

/** The state of a request as the payer sees it. */
export type CheckoutState = "open" | "processing" | "paid" | "canceled" | "expired";

export interface Checkout {
  row: PaymentRequestRow;
  branding: CheckoutBranding;
  state: CheckoutState;
}

/**
 * Returns the current state of a checkout: expires the request if it is due, and asks the processor when a check is
 * due. null without a branding.
 */
export async function viewCheckout(found: PaymentRequestRow): Promise<Checkout | null> {
  const branding = await findBranding(found.accountId);
  if (branding === null) return null;
  const row = isDue(found) ? await checkRequest(found) : found;
  return { row, branding, state: stateOf(row) };
}

function isDue({ status, checkAt }: PaymentRequestRow): boolean {
  return status === "requested" && checkAt !== null && checkAt <= now();
}

function stateOf({ status, isProcessing, expiresAt }: PaymentRequestRow): CheckoutState {
  if (status === "succeeded") return "paid";
  if (status !== "requested") return status;
  if (isProcessing) return "processing";
  return expiresAt <= now() ? "expired" : "open";
}
