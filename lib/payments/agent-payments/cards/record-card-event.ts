import "server-only";
import type { CardEvent } from "@/lib/adapters/card-providers/card-provider";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import {
  type AgentPaymentRow,
  PAYMENT_COLUMNS,
  toPayment,
} from "@/lib/payments/agent-payments/agent-payment";
import { AGENT_PAYMENT_EVENTS } from "@/lib/payments/agent-payments/agent-payment-events";
import { movePayment } from "@/lib/payments/agent-payments/move-payment";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** The event of a card at a merchant, as its provider reports it. */
export interface ReportedCard {
  /** The account that the card was issued for: a report about another account's card changes nothing. */
  accountId: string;
  provider: string;
  cardRef: string;
  on: CardEvent;
  at: Date;
  /** The provider's id of the charge, if it has one. */
  chargeRef?: string | null;
}

// Only the events that partners receive: succeeded, canceled and expired belong to payment requests
// (docs/contract.md, section 12.5).
const EVENTS = {
  authorized: AGENT_PAYMENT_EVENTS["payment.authorized"],
  declined: AGENT_PAYMENT_EVENTS["payment.declined"],
};

const LOCK_PAYMENT_OF_CARD = plannedStatement(
  "lock-payment-of-card",
  `select ${PAYMENT_COLUMNS} from agent_payments
  where account_id = :accountId and provider = :provider and card_ref = :cardRef for no key update`,
);

/**
 * Applies a provider's card event to its payment and emits the payment's event, in the caller's transaction. A repeated
 * report or one for an unknown card changes nothing. Returns the changed payment.
 */
export async function recordCardEvent(
  tx: Sql,
  { accountId, provider, cardRef, on, at, chargeRef = null }: ReportedCard,
): Promise<AgentPaymentRow | null> {
  // Locked, so that no charge is authorized between this read and the move.
  const [found] = await tx.run(LOCK_PAYMENT_OF_CARD, { accountId, provider, cardRef });
  if (found === undefined || isOfAnother(found, on, chargeRef)) return null;
  const row = await movePayment(tx, found, { trigger: on, at });
  if (row !== null && on === "authorized") await storeCharge(tx, row, chargeRef);
  if (row === null || (on !== "authorized" && on !== "declined")) return row;
  const { trace_id: traceId } = row;
  const about = { accountId, lineId: null, chatId: null, messageId: null, traceId, at };
  await emitEvents(tx, [newEvent(EVENTS[on], about, toPayment(row, null))]);
  return row;
}

// A declined second charge does not affect the payment: the first charge holds the money.
function isOfAnother(
  { status, charge_ref }: AgentPaymentRow,
  on: CardEvent,
  chargeRef: string | null,
): boolean {
  return on === "declined" && status === "authorized" && charge_ref !== null && charge_ref !== chargeRef;
}

const STORE_CHARGE = plannedStatement(
  "store-charge",
  "update agent_payments set charge_ref = :chargeRef where account_id = :accountId and id = :id",
);

async function storeCharge(
  tx: Sql,
  { account_id, id }: AgentPaymentRow,
  chargeRef: string | null,
): Promise<void> {
  if (chargeRef === null) return;
  await tx.run(STORE_CHARGE, { accountId: account_id, id, chargeRef });
}
