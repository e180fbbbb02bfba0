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

const MOVE = `update agent_payments p
  set status = t.next::agent_payment_status, awaits = $3,
    moved_at = case when p.status::text = t.next and p.awaits is not distinct from $3 then p.moved_at else $4 end,
    ended_at = case when t.ends then $4 end, open_key = case when t.ends then null else p.open_key end
  from unnest($5::text[], $6::text[], $7::boolean[]) as t(status, next, ends)
  where p.account_id = $1 and p.id = $2 and p.status::text = t.status
    and ($8::timestamptz is null or p.moved_at <= $8)
    and ($9::text is null or (p.status::text = $9 and p.awaits is not distinct from $10))
  returning ${PAYMENT_COLUMNS.replaceAll(/(^|, |,\s+)/g, "$1p.")}`;

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

/** Returns the payment as it is stored now, or the given row if the account and its payments were deleted meanwhile. */
export async function rereadPayment(payment: AgentPaymentRow): Promise<AgentPaymentRow> {
  const [row] = await sql.query<AgentPaymentRow>({
    text: `select ${PAYMENT_COLUMNS} from agent_payments where account_id = $1 and id = $2`,
    values: [payment.account_id, payment.id],
  });
  return row ?? payment;
}

// After a wait for the row, PostgreSQL keeps the joined status of `MOVE`, so an update alone would miss the new status.
async function lockPayment(
  tx: Sql,
  { account_id, id }: Pick<AgentPaymentRow, "account_id" | "id">,
): Promise<void> {
  await tx.query({
    name: "lock-agent-payment",
    text: "select from agent_payments where account_id = $1 and id = $2 for no key update",
    values: [account_id, id],
  });
}

async function storeTransition(
  on: Sql,
  { account_id, id }: Pick<AgentPaymentRow, "account_id" | "id">,
  { trigger, awaits, at, of }: Move,
): Promise<AgentPaymentRow | null> {
  const from = statusesMovedBy(trigger);
  const to: AgentPaymentStatus[] = from.map((status) => nextPaymentStatus(status, trigger));
  const idleSince = trigger === "idle" ? new Date(at.getTime() - IDLE_MS) : null;
  const [row] = await on.query<AgentPaymentRow>({
    name: "move-agent-payment",
    text: MOVE,
    values: [
      account_id,
      id,
      awaits ?? null,
      at,
      from,
      to,
      to.map(isEnded),
      idleSince,
      of?.status ?? null,
      of?.awaits ?? null,
    ],
  });
  return row ?? null;
}

/** Makes the dashboard reload the payment, by an internal event. */
export async function emitPaymentMoved(tx: Sql, payment: AgentPaymentRow, at: Date): Promise<void> {
  const { account_id: accountId, id, status, trace_id: traceId } = payment;
  const about = { accountId, lineId: null, chatId: null, messageId: null, traceId, at };
  await emitEvents(tx, [newEvent(PAYMENT_MOVED, about, { payment_id: id, status })]);
}
