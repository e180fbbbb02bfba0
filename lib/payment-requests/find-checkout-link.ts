import "server-only";
import { sessionOfLink } from "@/lib/payment-requests/checkout-session";
import { findCheckout } from "@/lib/payment-requests/find-checkout";
import type { PaymentRequestRow } from "@/lib/payment-requests/payment-request";
import type { Sql } from "@/lib/platform/db";

/** The account's own request a URL is the checkout link of; null for any other URL, and for another account's link. */
export async function findCheckoutLink(accountId: string, url: string): Promise<PaymentRequestRow | null> {
  const session = sessionOfLink(url);
  const row = session === null ? null : await findCheckout(session);
  return row?.accountId === accountId ? row : null;
}

/** Where a checkout link was sent: from now on the chat's timeline tells what becomes of the request. */
export async function recordCheckoutSent(
  tx: Sql,
  row: PaymentRequestRow,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<void> {
  await tx.query({
    name: "record-checkout-sent",
    text: `insert into payment_request_messages (account_id, payment_request_id, chat_id, message_id)
           values ($1, $2, $3, $4) on conflict do nothing`,
    values: [row.accountId, row.id, chatId, messageId],
  });
}
