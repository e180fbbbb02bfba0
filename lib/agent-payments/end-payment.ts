import "server-only";
import type { AgentPaymentRow } from "@/lib/agent-payments/agent-payment";
import { callProvider } from "@/lib/agent-payments/call-provider";
import { closeCard } from "@/lib/agent-payments/close-cards";
import { isIdle } from "@/lib/agent-payments/find-payment";
import { movePayment } from "@/lib/agent-payments/move-payment";
import { sql } from "@/lib/platform/db";

/**
 * Closes the card of a payment that is about to end, at the provider first: of a charge and an end at once the provider
 * decides, so money is never taken for a payment that says it was canceled. Errors: as `callProvider`.
 */
export async function closeBeforeEnd({ card_ref, ...payment }: AgentPaymentRow): Promise<void> {
  if (card_ref !== null) await callProvider(() => closeCard({ ...payment, card_ref }));
}

/** The payment, expired if it has stood still for 15 minutes. Errors: as `callProvider`. */
export async function expireIfIdle(payment: AgentPaymentRow, at: Date): Promise<AgentPaymentRow> {
  if (!isIdle(payment, at)) return payment;
  await closeBeforeEnd(payment);
  return (await movePayment(sql, payment, { trigger: "idle", at })) ?? payment;
}
