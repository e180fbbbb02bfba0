import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import {
  cardChanges,
  isEnded,
  nextPaymentStatus,
  type PaymentTrigger,
  statusesMovedBy,
} from "@/lib/payments/agent-payments/advance/payment-state";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { PAYMENT_MOVED } from "@/lib/payments/agent-payments/agent-payment-events";
import { changeCards } from "@/lib/payments/experiences/change-cards";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";

/** A payment without progress for this long expires. */
export const IDLE_MS = 15 * 60_000;

export interface Move {
  trigger: PaymentTrigger;
  /** The action the customer must take next. */
  awaits?: "attach" | "approve";
  at: Date;
  /** The payment that the move was decided for: the move no longer applies once the status or the action is another. */
  of?: Pick<AgentPaymentRow, "status" | "awaits">;
}

const MOVE_AGENT_PAYMENT = statement(
  "move-agent-payment",
  `update agent_payments p
  set status = t.next::agent_payment_status, awaits = :awaits,
    moved_at = case when p.status::text = t.next and p.awaits is not distinct from :awaits then p.moved_at else :at end,
    ended_at = case when t.ends then :at end, open_key = case when t.ends then null else p.open_key end
  from unnest(:from::text[], :to::text[], :ends::boolean[]) as t(status, next, ends)
  where p.account_id = :accountId and p.id = :id and p.status::text = t.status
    and (:idleSince::timestamptz is null or p.moved_at <= :idleSince)
    and (:ofStatus::text is null or (p.status::text = :ofStatus and p.awaits is not distinct from :ofAwaits))
  returning ${PAYMENT_COLUMNS.replaceAll(/(^|, |,\s+)/g, "$1p.")}`,
);

/**
 * Applies a trigger to a payment by its state table, atomically, and updates its cards in the thread. Returns null when
 * the trigger no longer applies. `idle` applies only to idle payments.
 */
export async function movePayment(
  on: Sql,
  payment: Pick<AgentPaymentRow, "account_id" | "id">,
  move: Move,
): Promise<AgentPaymentRow | null> {
  // Separate statements: the later ones also see what was committed while the first one waited for the row's lock.
  if (on === sql) return transaction((tx) => movePayment(tx, payment, move));
  await lockPayment(on, payment);
  const row = await storeTransition(on, payment, move);
  if (row === null) return null;
  if (row.moved_at.getTime() === move.at.getTime()) await emitPaymentMoved(on, row, move.at);
  for (const change of cardChanges(row)) {
    await changeCards(on, { accountId: row.account_id, subjectId: row.id, at: move.at, ...change });
  }
  return row;
}

/**
 * Applies a trigger to a payment and returns the payment. When the trigger no longer applies, because a sweep, a page or
 * another call was faster, returns the payment as it is stored: the caller's older row may name a step that has passed.
 */
export async function moveOrReread(payment: AgentPaymentRow, move: Move): Promise<AgentPaymentRow> {
  return (await movePayment(sql, payment, move)) ?? rereadPayment(payment);
}

const REREAD_AGENT_PAYMENT = plannedStatement(
  "reread-agent-payment",
  `select ${PAYMENT_COLUMNS} from agent_payments where account_id = :accountId and id = :paymentId`,
);

/** Returns the payment as it is stored now, or the given row if the account and its payments were deleted meanwhile. */
export async function rereadPayment(payment: AgentPaymentRow): Promise<AgentPaymentRow> {
  const [row] = await sql.run(REREAD_AGENT_PAYMENT, { accountId: payment.account_id, paymentId: payment.id });
  return row ?? payment;
}

const LOCK_AGENT_PAYMENT = statement(
  "lock-agent-payment",
  "select from agent_payments where account_id = :accountId and id = :id for no key update",
);

// After a wait for the row, PostgreSQL keeps the joined status of the update, so an update alone would miss the new status.
async function lockPayment(
  tx: Sql,
  { account_id, id }: Pick<AgentPaymentRow, "account_id" | "id">,
): Promise<void> {
  await tx.run(LOCK_AGENT_PAYMENT, { accountId: account_id, id });
}

async function storeTransition(
  on: Sql,
  { account_id, id }: Pick<AgentPaymentRow, "account_id" | "id">,
  { trigger, awaits, at, of }: Move,
): Promise<AgentPaymentRow | null> {
  const from = statusesMovedBy(trigger);
  const to: AgentPaymentStatus[] = from.map((status) => nextPaymentStatus(status, trigger));
  const idleSince = trigger === "idle" ? new Date(at.getTime() - IDLE_MS) : null;
  const [row] = await on.run(MOVE_AGENT_PAYMENT, {
    accountId: account_id,
    id,
    awaits: awaits ?? null,
    at,
    from,
    to,
    ends: to.map(isEnded),
    idleSince,
    ofStatus: of?.status ?? null,
    ofAwaits: of?.awaits ?? null,
  });
  return row ?? null;
}

/** Makes the dashboard reload the payment, by an internal event. */
export async function emitPaymentMoved(tx: Sql, payment: AgentPaymentRow, at: Date): Promise<void> {
  const { account_id: accountId, id, status, trace_id: traceId } = payment;
  const about = { accountId, lineId: null, chatId: null, messageId: null, traceId, at };
  await emitEvents(tx, [newEvent(PAYMENT_MOVED, about, { payment_id: id, status })]);
}
