import "server-only";
import { z } from "zod";
import { Payment, toPayment } from "@/lib/payments/agent-payments/agent-payment";
import { expireIfIdle } from "@/lib/payments/agent-payments/end-payment";
import { findPayment } from "@/lib/payments/agent-payments/find-payment";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const PaymentParams = z.object({
  paymentId: z
    .uuid()
    .meta({ description: "ID of the payment.", examples: ["019ca9c2-4c09-7dc0-8299-c5f617283940"] }),
});

export const GetPayment = contract({
  summary: "Get an agent payment",
  description: "Returns a payment with its current status.",
  tag: "Agent payments",
  right: "view_payments",
  params: PaymentParams,
  returns: Payment,
  status: 200,
  errors: [
    "payment_request_not_found",
    "access_denied",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

/** Returns a payment's current state. Expires a payment that has been idle for 15 minutes. Errors: as `GetPayment`. */
export async function getPayment(
  ctx: Context,
  { params }: Pick<Input<typeof GetPayment>, "params">,
): Promise<Payment> {
  return toPayment(await expireIfIdle(await findPayment(ctx, params.paymentId), ctx.now), ctx);
}
