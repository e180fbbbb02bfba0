import "server-only";
import { sessionOfLink } from "@/lib/payments/requests/checkout-session";
import { findCheckout } from "@/lib/payments/requests/find-checkout";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";

/**
 * Returns the account's own request whose checkout link a URL is. null for any other URL, including another account's
 * link.
 */
export async function findCheckoutLink(accountId: string, url: string): Promise<PaymentRequestRow | null> {
  const session = sessionOfLink(url);
  const row = session === null ? null : await findCheckout(session);
  return row?.accountId === accountId ? row : null;
}
