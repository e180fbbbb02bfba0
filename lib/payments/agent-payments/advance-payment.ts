import "server-only";
import { findPaymentStatus } from "@/lib/payments/agent-payments/advance/find-payment-status";
import { isCardPending } from "@/lib/payments/agent-payments/advance/payment-state";
import { nextStep, type Step } from "@/lib/payments/agent-payments/advance/payment-step";
import { findAgentPaySettings, limitsIn } from "@/lib/payments/agent-payments/agent-pay-settings";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { mintCard } from "@/lib/payments/agent-payments/cards/mint-card";
import { type Move, movePayment, rereadPayment } from "@/lib/payments/agent-payments/move-payment";
import { requireReady } from "@/lib/payments/card-providers/card-provider-account";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";

const MOVES = {
  ask_for_connection: { trigger: "unconnected" },
  wait_for_code: { trigger: "code_sent" },
  attach: { trigger: "customer_must_act", awaits: "attach" },
  approve: { trigger: "customer_must_act", awaits: "approve" },
} as const satisfies Record<Exclude<Step, "mint">, Omit<Move, "at">>;

/**
 * Advances a payment as far as possible with the provider it was created with: to the customer's next action, or to its
 * card. Errors: as `mintCard`; feature_not_available when the provider is no longer ready.
 */
export async function advancePayment(ctx: Context, payment: AgentPaymentRow): Promise<AgentPaymentRow> {
  const advanced = await advanceOnce(ctx, payment);
  if (advanced !== null) return advanced;
  // A wallet page or another call moved the payment while the provider answered: its step is the newer one.
  const current = await rereadPayment(payment);
  return (await advanceOnce(ctx, current)) ?? rereadPayment(current);
}

/** Returns null when the payment moved meanwhile. */
async function advanceOnce(ctx: Context, payment: AgentPaymentRow): Promise<AgentPaymentRow | null> {
  if (!isCardPending(payment.status)) return payment;
  const provider = await requireReady(ctx, payment.provider);
  const [progress, settings] = await Promise.all([
    findPaymentStatus(provider, payment),
    findAgentPaySettings(ctx.account.id),
  ]);

  const step = nextStep(progress, {
    amountMinor: payment.amount_minor,
    isApproved: payment.approved_at !== null,
    approvalAboveMinor: limitsIn(settings, payment.currency).approvalAboveMinor,
    now: ctx.now,
  });
  if (step === "mint") return mintCard(ctx, provider, { payment, settings });

  return movePayment(sql, payment, { ...MOVES[step], at: ctx.now, of: payment });
}
