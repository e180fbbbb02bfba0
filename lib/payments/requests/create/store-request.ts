import "server-only";
import type { z } from "zod";
import type { Merchant } from "@/lib/adapters/processors/processor";
import { newCheckoutSession } from "@/lib/payments/requests/checkout-session";
import type { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import type { PlannedPayment } from "@/lib/payments/requests/create/plan-payment";
import { ensureSlug } from "@/lib/payments/requests/ensure-slug";
import {
  type PaymentRequestRow,
  REQUEST_COLUMNS,
  TEXT_COLUMNS,
  TEXT_PARAMETERS,
  textValues,
} from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** A validated request to store. */
export interface NewRequest {
  id: string;
  idempotencyKey: string | null;
  body: z.output<typeof PaymentRequestBody>;
  planned: PlannedPayment;
  customerId: string | null;
  /** The request's id on the secondary rail. */
  secondaryRequestId: string | null | undefined;
  merchant: Merchant;
  processor: string;
}

const INSERT = statement(
  "store-payment-request",
  `insert into payment_requests as r (
    account_id, id, idempotency_key, mode, amount_minor, currency, metadata, rail, from_number, payer_handle, quantity,
    interval, interval_count, trial_end, discount, processor, merchant_id, is_own_customer, customer_id, session_hash,
    session_sealed, trace_id, expires_at, check_at, created_at, updated_at, secondary_request_id, items, ${TEXT_COLUMNS})
  values (:accountId, :id, :idempotencyKey, :mode::text::payment_request_mode, :amountMinor, :currency, :metadata,
    :rail::text::payment_rail, :from, :payerHandle, :quantity, :interval, :intervalCount, :trialEnd, :discount, :processor,
    :merchantId, :isOwnCustomer, :customerId, :hash, :sealed, :traceId, :expiresAt, :expiresAt, :now, :now,
    :secondaryRequestId, :items, ${TEXT_PARAMETERS})
  on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing
  returning ${REQUEST_COLUMNS}`,
);

/** Stores a request, or returns the earlier one with the same key. */
export async function storeRequest(
  tx: Sql,
  ctx: Context,
  request: NewRequest,
): Promise<{ row: PaymentRequestRow; isNew: boolean }> {
  await ensureSlug(tx, ctx.account.id, ctx.now);
  const [stored] = await tx.run(INSERT, valuesOf(ctx, request));
  if (stored !== undefined) return { row: stored, isNew: true };
  const earlier = await findByKey(ctx.account.id, request.idempotencyKey ?? "", tx);
  if (earlier === null) throw new Error("a payment request was neither stored nor found");
  return { row: earlier, isNew: false };
}

const PAYMENT_REQUEST_BY_KEY = statement(
  "payment-request-by-key",
  `select ${REQUEST_COLUMNS} from payment_requests r where account_id = :accountId and idempotency_key = :idempotencyKey`,
);

/** Returns the request that was created with an idempotency key, or null for a new key. */
export async function findByKey(
  accountId: string,
  idempotencyKey: string,
  on: Sql = sql,
): Promise<PaymentRequestRow | null> {
  const [row] = await on.run(PAYMENT_REQUEST_BY_KEY, { accountId, idempotencyKey });
  return row ?? null;
}

function valuesOf(ctx: Context, { id, idempotencyKey, body, planned, ...request }: NewRequest) {
  const session = newCheckoutSession({ accountId: ctx.account.id, id });
  return {
    accountId: ctx.account.id,
    id,
    idempotencyKey,
    mode: body.mode,
    amountMinor: planned.amountMinor,
    currency: planned.currency,
    metadata: body.metadata === undefined ? null : JSON.stringify(body.metadata),
    rail: body.rail,
    from: body.from,
    payerHandle: body.payer_handle,
    quantity: planned.quantity,
    interval: planned.interval,
    intervalCount: planned.intervalCount,
    trialEnd: planned.trialEnd,
    discount: body.discount === undefined ? null : JSON.stringify(body.discount),
    processor: request.processor,
    merchantId: request.merchant.merchantId,
    isOwnCustomer: body.customer_id === undefined,
    customerId: request.customerId,
    hash: session.hash,
    sealed: session.sealed,
    traceId: ctx.traceId,
    expiresAt: planned.expiresAt,
    now: ctx.now,
    secondaryRequestId: request.secondaryRequestId,
    ...textValues(body),
    items: body.items === undefined ? null : JSON.stringify(body.items),
  };
}
