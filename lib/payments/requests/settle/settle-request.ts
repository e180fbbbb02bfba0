import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { OrderOutcome, Paid } from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { changeCards } from "@/lib/payments/experiences/change-cards";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import {
  isOpened,
  merchantOf,
  type PaymentRequestRow,
  paymentRequestEventData,
  REQUEST_COLUMNS,
} from "@/lib/payments/requests/payment-request";
import { PAYMENT_REQUEST_EVENTS } from "@/lib/payments/requests/payment-request-events";
import { readPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import { recordPaymentFact } from "@/lib/payments/requests/settle/record-payment-fact";
import {
  ENDED_EVENT,
  type Ending,
  endedStatus,
  nextCheck,
} from "@/lib/payments/requests/settle/request-status";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** A change that belongs in the transaction that ends the request. */
type Effect = (tx: Sql, row: PaymentRequestRow) => Promise<void>;

const END = statement(
  "end-payment-request",
  `update payment_requests r set status = :status::text::payment_request_status, updated_at = :updatedAt, check_at = null,
    is_processing = false, paid_at = :paidAt, charged_minor = :chargedMinor, payment_intent_id = coalesce(payment_intent_id, :paymentIntentId),
    secondary_request_id = case when rail = 'secondary' then coalesce(:requestId, secondary_request_id) end,
    secondary_transaction_id = case when rail = 'secondary' then :transactionId end
  where r.account_id = :accountId and r.id = :id and r.status = 'requested'
    and r.payment_intent_id is not distinct from :knownIntentId
    and r.subscription_id is not distinct from :subscriptionId
  returning ${REQUEST_COLUMNS}`,
);

const POSTPONE = statement(
  "postpone-payment-check",
  `update payment_requests r set check_at = :checkAt, is_processing = :isProcessing
  where r.account_id = :accountId and r.id = :id and r.status = 'requested'
  returning ${REQUEST_COLUMNS}`,
);

/**
 * Ends an unpaid request for the reason `why`. The processor decides: when the payer was faster the request ends as
 * paid, and while a payment is processing it does not end. The request of a merchant that disconnected Trunkline ends,
 * because it can't be paid any longer. Returns the request afterwards. Errors: those of `callProcessor`; the request is
 * then unchanged.
 */
export async function endRequest(
  row: PaymentRequestRow,
  why: "canceled" | "expired",
  effect?: Effect,
): Promise<PaymentRequestRow> {
  if (row.status !== "requested") return row;
  if (!isOpened(row)) {
    const ended = await settle(row, { ending: why, effect });
    if (ended !== null) return ended;
    // The request was opened or has ended meanwhile.
    const current = await readPaymentRequest(sql, row.accountId, row.id);
    return current === null || !isOpened(current) ? (current ?? row) : endRequest(current, why, effect);
  }
  const outcome = await callProcessor(cancelAtProcessor(row));
  return applyOutcome(row, outcome, { why, effect });
}

async function cancelAtProcessor(row: PaymentRequestRow): Promise<OrderOutcome> {
  const processor = processorOf(row.processor);
  try {
    return await processor.cancel(merchantOf(row), row);
  } catch (error) {
    const isGone = error instanceof AdapterError && error.kind === "no_account";
    // A key of the other mode finds no merchant at all, although all of them can still be paid.
    if (isGone && processor.refusal(row.accountType) === null) return { type: "canceled" };
    throw error;
  }
}

/** Reads a request's status from the processor and applies it. Errors: those of `callProcessor`. */
export async function refreshRequest(row: PaymentRequestRow): Promise<PaymentRequestRow> {
  if (row.status !== "requested" || !isOpened(row)) return row;
  const outcome = await callProcessor(processorOf(row.processor).look(merchantOf(row), row));
  return applyOutcome(row, outcome, {});
}

async function applyOutcome(
  row: PaymentRequestRow,
  outcome: OrderOutcome,
  { why, effect }: { why?: "canceled" | "expired"; effect?: Effect },
): Promise<PaymentRequestRow> {
  const at = now();
  if (outcome.type === "paid") return settledOrCurrent(row, { ending: "paid", paid: outcome });
  if (outcome.type === "canceled") {
    const ending = why ?? (row.expiresAt <= at ? "expired" : "canceled");
    return settledOrCurrent(row, { ending, effect });
  }
  const isProcessing = outcome.type === "processing";
  const checkAt = nextCheck(row.openedAt ?? row.createdAt, row.expiresAt, at);
  const [postponed] = await sql.run(POSTPONE, {
    accountId: row.accountId,
    id: row.id,
    checkAt,
    isProcessing,
  });
  return postponed ?? currentOf(row);
}

interface End {
  ending: Ending;
  paid?: Paid;
  effect?: Effect;
}

async function settledOrCurrent(row: PaymentRequestRow, end: End): Promise<PaymentRequestRow> {
  return (await settle(row, end)) ?? currentOf(row);
}

/** Returns the request that another call has changed or ended meanwhile. */
async function currentOf(row: PaymentRequestRow): Promise<PaymentRequestRow> {
  return (await readPaymentRequest(sql, row.accountId, row.id)) ?? row;
}

/** The only place where a request ends. The row lets only the first call through. Returns null to all others. */
async function settle(
  row: PaymentRequestRow,
  { ending, paid, effect }: End,
): Promise<PaymentRequestRow | null> {
  const status = endedStatus(row.status, ending);
  if (status === null) return null;
  const at = now();
  return transaction(async (tx) => {
    const [ended] = await tx.run(END, {
      accountId: row.accountId,
      id: row.id,
      status,
      updatedAt: at,
      paidAt: paid?.at,
      chargedMinor: paid?.chargedMinor,
      paymentIntentId: paid?.paymentIntentId,
      requestId: paid?.secondary?.requestId,
      transactionId: paid?.secondary?.transactionId,
      knownIntentId: row.paymentIntentId,
      subscriptionId: row.subscriptionId,
    });
    if (ended === undefined) return null;
    await emitEnd(tx, ended, status, at);
    if (status === "succeeded") {
      await recordPaymentFact(tx, ended, { type: "payment_request.paid", traceId: ended.traceId, at });
    }
    const state = status === "succeeded" ? "done" : "ended";
    await changeCards(tx, { accountId: row.accountId, subjectId: row.id, state, at });
    await effect?.(tx, ended);
    return ended;
  });
}

async function emitEnd(
  tx: Sql,
  row: PaymentRequestRow,
  status: keyof typeof ENDED_EVENT,
  at: Date,
): Promise<void> {
  const data = {
    ...paymentRequestEventData(row),
    // The charged amount: for a discounted subscription, the first invoice (docs/contract.md, section 12.5).
    amount: row.chargedMinor ?? row.amountMinor,
    checkout: {
      slug: row.slug,
      sealed: row.sessionSealed.toString("base64"),
      account_id: row.accountId,
      request_id: row.id,
    },
  };
  const { accountId, traceId } = row;
  const about = { accountId, lineId: null, chatId: null, messageId: null, traceId, at };
  await emitEvents(tx, [newEvent(PAYMENT_REQUEST_EVENTS[ENDED_EVENT[status]], about, data)]);
}
