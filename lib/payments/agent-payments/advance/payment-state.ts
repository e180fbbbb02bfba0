import "server-only";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";

/** The triggers of a payment's transitions: its customer's status, an event of its card, its cancellation or expiry. */
export type PaymentTrigger =
  | "unconnected"
  | "code_sent"
  | "customer_must_act"
  | "minted"
  | "authorized"
  | "captured"
  | "declined"
  | "canceled"
  | "idle";

const BEFORE_THE_CARD = {
  unconnected: "needs_connection",
  code_sent: "connecting",
  customer_must_act: "awaiting_user_action",
  minted: "ready",
  canceled: "canceled",
  idle: "expired",
} as const;

/**
 * All transitions of an agent payment (docs/contract.md, section 14.1). A trigger that is not listed changes nothing,
 * so final statuses never change.
 */
const NEXT = {
  needs_connection: BEFORE_THE_CARD,
  // A payment returns to `needs_connection` when the grant is revoked or the code expires.
  connecting: BEFORE_THE_CARD,
  awaiting_user_action: BEFORE_THE_CARD,
  ready: {
    authorized: "authorized",
    captured: "succeeded",
    declined: "declined",
    canceled: "canceled",
    idle: "expired",
  },
  // Money is moving: only the provider or the caller ends the payment.
  authorized: { captured: "succeeded", declined: "declined", canceled: "canceled" },
  succeeded: {},
  declined: {},
  canceled: {},
  expired: {},
} as const satisfies Record<AgentPaymentStatus, Partial<Record<PaymentTrigger, AgentPaymentStatus>>>;

/** Returns the status after a trigger: the same one when the trigger does not apply. */
export function nextPaymentStatus(status: AgentPaymentStatus, trigger: PaymentTrigger): AgentPaymentStatus {
  const row: Partial<Record<PaymentTrigger, AgentPaymentStatus>> = NEXT[status];
  return row[trigger] ?? status;
}

/** Returns the statuses that a trigger changes, for the condition of an update statement. */
export function statusesMovedBy(trigger: PaymentTrigger): AgentPaymentStatus[] {
  return PAYMENT_STATUSES.filter((status) => trigger in NEXT[status]);
}

export const PAYMENT_STATUSES = [
  "needs_connection",
  "connecting",
  "awaiting_user_action",
  "ready",
  "authorized",
  "succeeded",
  "declined",
  "canceled",
  "expired",
] as const satisfies readonly AgentPaymentStatus[];

/** Whether the status is final. */
export function isEnded(status: AgentPaymentStatus): boolean {
  return Object.keys(NEXT[status]).length === 0;
}

/** Whether the card is still to be issued. */
export function isCardPending(status: AgentPaymentStatus): boolean {
  return nextPaymentStatus(status, "minted") === "ready" && status !== "ready";
}

/** The state changes of the cards in the thread that ask the customer for an action. Empty = they stay open. */
export function cardChanges({
  status,
  awaits,
}: {
  status: AgentPaymentStatus;
  awaits: "attach" | "approve" | null;
}): { state: "done" | "ended"; asksFor?: "attach" }[] {
  if (status === "canceled" || status === "expired") return [{ state: "ended" }];
  if (status === "needs_connection" || status === "connecting") return [];
  if (status !== "awaiting_user_action") return [{ state: "done" }];
  return awaits === "approve" ? [{ state: "done", asksFor: "attach" }] : [];
}
