import "server-only";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { closeCard } from "@/lib/payments/agent-payments/cards/close-cards";
import { recordCardEvent } from "@/lib/payments/agent-payments/cards/record-card-event";
import { isIdle } from "@/lib/payments/agent-payments/find-payment";
import { moveOrReread, rereadPayment } from "@/lib/payments/agent-payments/move-payment";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/**
 * Closes the card of a payment that is about to end, at the provider first. When a charge and an end are concurrent,
 * the provider decides, so a canceled payment never takes money. Returns false when a merchant was faster. The payment
 * must not end then: it is `authorized`, or the provider will soon report its status. Errors: as `callProvider`.
 */
export async function closeBeforeEnd({ card_ref, ...payment }: AgentPaymentRow): Promise<boolean> {
  if (card_ref === null) return true;
  const closed = await callProvider(() => closeCard({ ...payment, card_ref }));
  if (closed === "closed") return true;
  const { account_id: accountId, provider } = payment;
  if (closed === "charged")
    await transaction((tx) =>
      recordCardEvent(tx, { accountId, provider, cardRef: card_ref, on: "authorized", at: now() }),
    );
  return false;
}

/**
 * Closes the card of a payment whose customer has withdrawn consent, then cancels the payment. A payment that a
 * merchant has charged stays as it is. Errors: as `callProvider`.
 */
export async function cancelRevoked(payment: AgentPaymentRow, at: Date): Promise<AgentPaymentRow> {
  if (!(await closeBeforeEnd(payment))) return rereadPayment(payment);
  return moveOrReread(payment, { trigger: "canceled", at });
}

/** Expires the payment if it has been idle for 15 minutes. Returns it. Errors: as `callProvider`. */
export async function expireIfIdle(payment: AgentPaymentRow, at: Date): Promise<AgentPaymentRow> {
  if (!isIdle(payment, at)) return payment;
  if (!(await closeBeforeEnd(payment))) return rereadPayment(payment);
  return moveOrReread(payment, { trigger: "idle", at });
}
