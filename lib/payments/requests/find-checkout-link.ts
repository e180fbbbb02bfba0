import "server-only";
import { sessionOfLink } from "@/lib/payments/requests/checkout-session";
import { findCheckout } from "@/lib/payments/requests/find-checkout";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";

/** The account's own request a URL is the checkout link of; null for any other URL, and for another account's link. */
export async function findCheckoutLink(accountId: string, url: string): Promise<PaymentRequestRow | null> {
  const session = sessionOfLink(url);
  const row = session === null ? null : await findCheckout(session);
  return row?.accountId === accountId ? row : null;
}
