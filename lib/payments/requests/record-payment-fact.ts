import "server-only";
import type { PayerFact } from "@/lib/adapters/processors/processor";
import { type EventOrigin, emitEvents, type NewEvent, newEvent } from "@/lib/events/emit-event";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { PAYMENT_NOTES } from "@/lib/payments/requests/payment-request-events";
import { now } from "@/lib/platform/clock";
import type { Sql } from "@/lib/platform/db";

interface Fact {
  type: keyof typeof PAYMENT_NOTES;
  traceId: string;
  at: Date;
  /** Why it was declined, in the processor's word. */
  reason?: string | null;
}

/**
 * Notes what became of a request: an internal event, in each chat its link was sent into, and without a chat while it was
 * sent into none. In the transaction of what it tells.
 */
export async function recordPaymentFact(tx: Sql, row: PaymentRequestRow, fact: Fact): Promise<void> {
  const sent = await tx.query<{ lineId: string; chatId: string; messageId: string }>({
    name: "chats-of-payment-request",
    text: `select c.line_id as "lineId", m.chat_id as "chatId", m.message_id as "messageId"
           from payment_request_messages m join chats c on c.account_id = m.account_id and c.id = m.chat_id
           where m.account_id = $1 and m.payment_request_id = $2 order by m.chat_id`,
    values: [row.accountId, row.id],
  });
  const places = sent.length === 0 ? [{ lineId: null, chatId: null, messageId: null }] : sent;
  await emitEvents(
    tx,
    places.map((place) => paymentFact(row, fact, place)),
  );
}

/** Notes what came of a payer's try that did not pay: nothing once the request has ended. In the caller's transaction. */
export async function recordPayerFact(tx: Sql, row: PaymentRequestRow, { type: fact, reason }: PayerFact) {
  // Held until the caller is done: an end comes before it, or after it.
  const [open] = await tx.query({
    name: "hold-open-payment-request",
    text: `select 1 from payment_requests where account_id = $1 and id = $2 and status = 'requested' for share`,
    values: [row.accountId, row.id],
  });
  if (open === undefined) return;
  const type = fact === "declined" ? "payment_request.declined" : "payment_request.challenged";
  await recordPaymentFact(tx, row, { type, traceId: row.traceId, at: now(), reason });
}

/** A fact of a request in one place. */
export function paymentFact(
  { accountId, id, amountMinor, currency }: PaymentRequestRow,
  { type, traceId, at, reason = null }: Fact,
  place: Pick<EventOrigin, "lineId" | "chatId" | "messageId">,
): NewEvent {
  const why = reason === null ? {} : { reason };
  const data = { payment_request_id: id, amount: amountMinor, currency, ...why };
  return newEvent(PAYMENT_NOTES[type], { ...place, accountId, traceId, at }, data);
}
