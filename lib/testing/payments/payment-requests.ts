import { checkoutLink } from "@/lib/payments/requests/checkout-session";
import { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import type { PaymentRequest, PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { readPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import { sql } from "@/lib/platform/database/db";
import type { TestAccount } from "@/lib/testing/create-test-account";

/** Creates a payment request of 12.50 usd, or as specified in `body`. */
export function requestPayment(
  account: TestAccount,
  body: object = { amount: 1250, currency: "usd" },
): Promise<PaymentRequest> {
  return createPaymentRequest(account.context(), { headers: {}, body: PaymentRequestBody.parse(body) });
}

/** Creates a payment request whose payment was opened at the processor, as the payer's page does. */
export async function openedRequest(account: TestAccount, body?: object): Promise<PaymentRequestRow> {
  const { id } = await requestPayment(account, body);
  await openCheckout(await rowOf(account, id));
  return rowOf(account, id);
}

/** Returns the stored payment request. */
export async function rowOf(account: TestAccount, id: string): Promise<PaymentRequestRow> {
  const row = await readPaymentRequest(sql, account.ref.id, id);
  if (row === null) throw new Error(`there is no payment request ${id}`);
  return row;
}

/** Returns the account's events about payments, including internal ones, in order. */
export function paymentEvents(
  account: TestAccount,
): Promise<{ type: string; data: Record<string, unknown>; chatId: string | null }[]> {
  return sql.runText({
    text: `select type, data, chat_id as "chatId" from events
           where account_id = $1 and type like 'payment%' order by seq`,
    values: [account.ref.id],
  });
}

/** Returns the secret in a payment request's link. */
export function sessionOf(row: PaymentRequestRow): string {
  return new URL(checkoutLink(row, row.slug, row.sessionSealed)).searchParams.get("session") ?? "";
}
