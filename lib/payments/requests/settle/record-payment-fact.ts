import "server-only";
import type { PayerFact } from "@/lib/adapters/processors/processor";
import { type EventOrigin, emitEvents, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { PAYMENT_NOTES } from "@/lib/payments/requests/payment-request-events";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

interface Fact {
  type: keyof typeof PAYMENT_NOTES;
  traceId: string;
  at: Date;
  /** The processor's reason for a decline. */
  reason?: string | null;
}

const CHATS_OF_PAYMENT_REQUEST = statement(
  "chats-of-payment-request",
  `select c.line_id as "lineId", m.chat_id as "chatId", m.message_id as "messageId"
  from payment_request_messages m join chats c on c.account_id = m.account_id and c.id = m.chat_id
  where m.account_id = :accountId and m.payment_request_id = :id order by m.chat_id`,
);

/**
 * Records a step of a request as an internal event: one for each chat that received the link, or one without a chat.
 * Runs in the transaction of the step itself.
 */
export async function recordPaymentFact(tx: Sql, row: PaymentRequestRow, fact: Fact): Promise<void> {
  const sent = await tx.run(CHATS_OF_PAYMENT_REQUEST, { accountId: row.accountId, id: row.id });
  const places = sent.length === 0 ? [{ lineId: null, chatId: null, messageId: null }] : sent;
  await emitEvents(
    tx,
    places.map((place) => paymentFact(row, fact, place)),
  );
}

const HOLD_OPEN_PAYMENT_REQUEST = statement(
  "hold-open-payment-request",
  `select 1 from payment_requests where account_id = :accountId and id = :id and status = 'requested' for share`,
);

/**
 * Records that a payer's attempt was declined or needs authentication, unless the request has ended. Runs in the
 * caller's transaction.
 */
export async function recordPayerFact(tx: Sql, row: PaymentRequestRow, { type: fact, reason }: PayerFact) {
  // Locks the request until the caller commits, so that a concurrent end comes either before or after.
  const [open] = await tx.run(HOLD_OPEN_PAYMENT_REQUEST, { accountId: row.accountId, id: row.id });
  if (open === undefined) return;
  const type = fact === "declined" ? "payment_request.declined" : "payment_request.challenged";
  await recordPaymentFact(tx, row, { type, traceId: row.traceId, at: now(), reason });
}

/** Builds the event of a step for one chat, or for none. */
export function paymentFact(
  { accountId, id, amountMinor, currency }: PaymentRequestRow,
  { type, traceId, at, reason = null }: Fact,
  place: Pick<EventOrigin, "lineId" | "chatId" | "messageId">,
): NewEvent {
  const why = reason === null ? {} : { reason };
  const data = { payment_request_id: id, amount: amountMinor, currency, ...why };
  return newEvent(PAYMENT_NOTES[type], { ...place, accountId, traceId, at }, data);
}
