import { checkoutLink } from "@/lib/payments/requests/checkout-session";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { readPaymentRequest } from "@/lib/payments/requests/find-payment-request";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import type { PaymentRequest, PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { PaymentRequestBody } from "@/lib/payments/requests/payment-request-body";
import { sql } from "@/lib/platform/db";
import type { TestAccount } from "@/lib/testing/create-test-account";

/** A request of 12.50 usd, or of what `body` says. */
export function requestPayment(
  account: TestAccount,
  body: object = { amount: 1250, currency: "usd" },
): Promise<PaymentRequest> {
  return createPaymentRequest(account.context(), { headers: {}, body: PaymentRequestBody.parse(body) });
}

/** A request whose payment was made at the processor, as a payer's page does it. */
export async function openedRequest(account: TestAccount, body?: object): Promise<PaymentRequestRow> {
  const { id } = await requestPayment(account, body);
  await openCheckout(await rowOf(account, id));
  return rowOf(account, id);
}

/** The stored request, as it is now. */
export async function rowOf(account: TestAccount, id: string): Promise<PaymentRequestRow> {
  const row = await readPaymentRequest(sql, account.ref.id, id);
  if (row === null) throw new Error(`there is no payment request ${id}`);
  return row;
}

/** The events of the account about payments, internal ones too, in their order. */
export function paymentEvents(
  account: TestAccount,
): Promise<{ type: string; data: Record<string, unknown>; chatId: string | null }[]> {
  return sql.query({
    text: `select type, data, chat_id as "chatId" from events
           where account_id = $1 and type like 'payment%' order by seq`,
    values: [account.ref.id],
  });
}

/** The secret of a request's link. */
export function sessionOf(row: PaymentRequestRow): string {
  return new URL(checkoutLink(row, row.slug, row.sessionSealed)).searchParams.get("session") ?? "";
}
