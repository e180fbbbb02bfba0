import "server-only";
import {
  type Order,
  type OrderRefs,
  type PaymentField,
  REQUEST_MARKER,
} from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { merchantOf, type PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { readPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import { recordPaymentFact } from "@/lib/payments/requests/settle/record-payment-fact";
import { nextCheck } from "@/lib/payments/requests/settle/request-status";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";

/**
 * Creates the payment at the processor, so that the payer can pay. The payer sees the payment only after the request's
 * row refers to it, so a concurrent cancellation still succeeds. Returns null when the request has ended. Errors:
 * feature_not_available while the instance's key is of the other mode, those of `callProcessor`.
 */
export async function openCheckout(row: PaymentRequestRow): Promise<PaymentField | null> {
  if (row.status !== "requested" || row.expiresAt <= now()) return null;
  const processor = processorOf(row.processor);
  const refusal = processor.refusal(row.accountType);
  if (refusal !== null) return fail("feature_not_available", refusal);
  const opened = await callProcessor(processor.open(merchantOf(row), orderOf(row)));
  if (await storeRefs(row, opened)) return opened.field;

  const current = await readPaymentRequest(sql, row.accountId, row.id);
  if (current !== null && !sameRefs(current, opened))
    await callProcessor(processor.cancel(merchantOf(row), opened));
  return null;
}

const KEEP_OPENED_PAYMENT = statement(
  "keep-opened-payment",
  `with before as (
    select account_id, id, opened_at from payment_requests
    where account_id = :accountId and id = :id and status = 'requested'
      and (payment_intent_id is not distinct from :knownIntentId or payment_intent_id = :paymentIntentId)
      and (subscription_id is not distinct from :knownSubscriptionId or subscription_id = :subscriptionId)
    for update
  )
  update payment_requests r set payment_intent_id = :paymentIntentId, subscription_id = :subscriptionId,
    opened_at = coalesce(r.opened_at, :updatedAt), check_at = least(r.check_at, :nextCheck), updated_at = :updatedAt
  from before b where r.account_id = b.account_id and r.id = b.id
  returning b.opened_at is null as "isFirst"`,
);

async function storeRefs(row: PaymentRequestRow, refs: OrderRefs): Promise<boolean> {
  const at = now();
  return transaction(async (tx) => {
    const storedRefs = await tx.run(KEEP_OPENED_PAYMENT, {
      accountId: row.accountId,
      id: row.id,
      knownIntentId: row.paymentIntentId,
      knownSubscriptionId: row.subscriptionId,
      paymentIntentId: refs.paymentIntentId,
      subscriptionId: refs.subscriptionId,
      updatedAt: at,
      nextCheck: nextCheck(row.openedAt ?? at, row.expiresAt, at),
    });
    if (storedRefs[0]?.isFirst === true) {
      await recordPaymentFact(tx, row, { type: "payment_request.opened", traceId: row.traceId, at });
    }
    return storedRefs.length > 0;
  });
}

function orderOf(row: PaymentRequestRow): Order {
  return {
    key: row.id,
    mode: row.mode,
    amountMinor: row.amountMinor,
    currency: row.currency,
    paymentIntentId: row.paymentIntentId,
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    priceId: row.priceId,
    quantity: row.quantity ?? 1,
    trialEnd: row.trialEnd,
    discount: row.discount,
    description: row.description,
    receiptEmail: row.receiptEmail,
    metadata: { ...row.metadata, [REQUEST_MARKER]: row.id },
  };
}

function sameRefs(left: OrderRefs, right: OrderRefs): boolean {
  return left.paymentIntentId === right.paymentIntentId && left.subscriptionId === right.subscriptionId;
}
