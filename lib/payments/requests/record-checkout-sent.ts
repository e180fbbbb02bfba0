import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { paymentFact } from "@/lib/payments/requests/settle/record-payment-fact";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const RECORD_CHECKOUT_SENT = statement(
  "record-checkout-sent",
  `insert into payment_request_messages as m (account_id, payment_request_id, chat_id, message_id)
  values (:accountId, :id, :chatId, :messageId) on conflict do nothing
  returning (select line_id from chats c where c.account_id = m.account_id and c.id = m.chat_id) as "lineId!"`,
);

/** Records that a checkout link was sent to a chat, whose timeline then shows the progress of the request. */
export async function recordCheckoutSent(
  tx: Sql,
  row: PaymentRequestRow,
  { chatId, messageId, at }: { chatId: string; messageId: string; at: Date },
): Promise<void> {
  const [first] = await tx.run(RECORD_CHECKOUT_SENT, {
    accountId: row.accountId,
    id: row.id,
    chatId,
    messageId,
  });
  if (first === undefined) return;
  const place = { lineId: first.lineId, chatId, messageId };
  await emitEvents(tx, [
    paymentFact(row, { type: "payment_request.requested", traceId: row.traceId, at }, place),
  ]);
}
