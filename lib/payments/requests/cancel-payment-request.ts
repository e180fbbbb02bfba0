import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import {
  PaymentRequest,
  PaymentRequestParams,
  toPaymentRequest,
} from "@/lib/payments/requests/payment-request";
import { findPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import { endRequest } from "@/lib/payments/requests/settle/settle-request";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const CancelPaymentRequest = contract({
  summary: "Cancel a payment request",
  description:
    "Cancels an open payment request and any incomplete subscription at the processor. Fails with 2015 if the payment request is already paid, canceled or expired. A `payment.canceled` event follows.",
  tag: "Payment requests",
  right: "request_payments",
  params: PaymentRequestParams,
  returns: PaymentRequest,
  status: 200,
  errors: [
    "payment_request_not_found",
    "access_denied",
    "state_conflict",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

/**
 * Cancels an unpaid request and its payment at the processor, which decides whether the payer was faster
 * (docs/contract.md, section 13.3). Of two cancellations at once, both succeed. Errors: state_conflict when the request
 * has ended or is being paid, and as `CancelPaymentRequest`.
 */
export async function cancelPaymentRequest(
  ctx: Context,
  { params }: Pick<Input<typeof CancelPaymentRequest>, "params">,
): Promise<PaymentRequest> {
  const row = await findPaymentRequest(ctx, params.paymentRequestId);
  if (row.status !== "requested") fail("state_conflict", `the payment request is ${row.status}`);

  let isRecorded = false;
  const record = async (tx: Sql) => {
    await recordAudit(tx, ctx, "payment_request.canceled", "payment_request", row.id);
    isRecorded = true;
  };
  const ended = await endRequest(row, "canceled", record);
  if (ended.status === "requested") fail("state_conflict", "the payer's payment is being processed");
  if (ended.status !== "canceled") fail("state_conflict", `the payment request is ${ended.status}`);
  // The processor's news of this cancellation can end the request before its answer does.
  if (!isRecorded) await record(sql);
  return toPaymentRequest(ended);
}
