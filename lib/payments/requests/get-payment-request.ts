import "server-only";
import {
  PaymentRequest,
  PaymentRequestParams,
  toPaymentRequest,
} from "@/lib/payments/requests/payment-request";
import { findPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetPaymentRequest = contract({
  summary: "Get a payment request",
  description: "Returns a payment request with its current status.",
  tag: "Payment requests",
  right: "view_payments",
  params: PaymentRequestParams,
  returns: PaymentRequest,
  status: 200,
  errors: ["payment_request_not_found", "access_denied", "parameter_invalid"],
});

/** Returns one payment request (docs/contract.md, section 13.2). Errors: payment_request_not_found, access_denied. */
export async function getPaymentRequest(
  ctx: Context,
  { params }: Pick<Input<typeof GetPaymentRequest>, "params">,
): Promise<PaymentRequest> {
  return toPaymentRequest(await findPaymentRequest(ctx, params.paymentRequestId));
}
