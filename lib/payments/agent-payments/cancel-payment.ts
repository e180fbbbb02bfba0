import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { Payment, toPayment } from "@/lib/payments/agent-payments/agent-payment";
import { closeCards } from "@/lib/payments/agent-payments/cards/close-cards";
import { closeBeforeEnd } from "@/lib/payments/agent-payments/end-payment";
import { findPayment } from "@/lib/payments/agent-payments/find-payment";
import { PaymentParams } from "@/lib/payments/agent-payments/get-payment";
import { movePayment } from "@/lib/payments/agent-payments/move-payment";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const CancelPayment = contract({
  summary: "Cancel an agent payment",
  description: "Cancels an open payment and closes its virtual card.",
  tag: "Agent payments",
  right: "manage_payments",
  params: PaymentParams,
  returns: Payment,
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
 * Cancels an open payment and closes its card (docs/contract.md, section 14.1). Errors: as `CancelPayment`;
 * state_conflict when the payment has already ended.
 */
export async function cancelPayment(
  ctx: Context,
  { params }: Pick<Input<typeof CancelPayment>, "params">,
): Promise<Payment> {
  const payment = await findPayment(ctx, params.paymentId);
  if (!(await closeBeforeEnd(payment))) {
    fail(
      "state_conflict",
      "a merchant has charged the card or is charging it now: ask the merchant for a refund",
    );
  }

  const canceled = await transaction(async (tx) => {
    const row = await movePayment(tx, payment, { trigger: "canceled", at: ctx.now });
    if (row === null) fail("state_conflict", "the payment has ended: only open payments can be canceled");
    await recordAudit(tx, ctx, "agent_payment.canceled", "agent_payment", row.id);
    return row;
  });
  // Closes a card that was issued between the first read and the update.
  await closeCards(ctx.account.id);

  return toPayment(canceled, ctx);
}
