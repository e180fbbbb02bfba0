import "server-only";
import type { CardEvent } from "@/lib/adapters/card-providers/card-provider";
import { type AgentPaymentRow, PAYMENT_COLUMNS, toPayment } from "@/lib/agent-payments/agent-payment";
import { movePayment } from "@/lib/agent-payments/move-payment";
import { emitEvents } from "@/lib/events/emit-event";
import type { Sql } from "@/lib/platform/db";

/** What a card met at a merchant, as its provider tells. */
export interface ReportedCard {
  provider: string;
  cardRef: string;
  on: CardEvent;
  at: Date;
}

// Only what is owed to partners: succeeded, canceled and expired are of payment requests (contract.md 0).
const EVENTS: Partial<Record<CardEvent, string>> = {
  authorized: "payment.authorized",
  declined: "payment.declined",
};

/**
 * Moves the payment of a card by what the provider reports, with its event, in the caller's transaction. Reported again,
 * or of a card nobody knows, it does nothing.
 */
export async function recordCardEvent(tx: Sql, { provider, cardRef, on, at }: ReportedCard): Promise<void> {
  const [found] = await tx.query<AgentPaymentRow>({
    text: `select ${PAYMENT_COLUMNS} from agent_payments where provider = $1 and card_ref = $2`,
    values: [provider, cardRef],
  });
  if (found === undefined) return;
  const row = await movePayment(tx, found, { trigger: on, at });
  const type = EVENTS[on];
  if (row === null || type === undefined) return;
  await emitEvents(tx, [
    {
      accountId: row.account_id,
      type,
      lineId: null,
      chatId: null,
      messageId: null,
      traceId: row.trace_id,
      data: toPayment(row),
      at,
    },
  ]);
}
