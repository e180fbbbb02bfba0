import "server-only";
import { z } from "zod";
import { Payment, toPayment } from "@/lib/agent-payments/agent-payment";
import { findPayment, isIdle } from "@/lib/agent-payments/find-payment";
import { movePayment } from "@/lib/agent-payments/move-payment";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";

export const PaymentParams = z.object({ paymentId: z.uuid() });

export const GetPayment = contract({
  summary: "Get a payment",
  tag: "Agent payments",
  params: PaymentParams,
  returns: Payment,
  status: 200,
  errors: ["payment_request_not_found", "access_denied"],
});

/** A payment as it stands; one that has stood still for 15 minutes is expired. Errors: as `GetPayment`. */
export async function getPayment(
  ctx: Context,
  { params }: Pick<Input<typeof GetPayment>, "params">,
): Promise<Payment> {
  const row = await findPayment(ctx, params.paymentId);
  if (!isIdle(row, ctx.now)) return toPayment(row);
  return toPayment((await movePayment(sql, row, { trigger: "idle", at: ctx.now })) ?? row);
}
