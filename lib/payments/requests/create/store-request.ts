import "server-only";
import type { z } from "zod";
import type { Merchant } from "@/lib/adapters/processors/processor";
import { newCheckoutSession } from "@/lib/payments/requests/checkout-session";
import type { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import type { PlannedPayment } from "@/lib/payments/requests/create/plan-payment";
import { ensureSlug } from "@/lib/payments/requests/ensure-slug";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";

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

const INSERT = `insert into payment_requests as r (
    account_id, id, idempotency_key, mode, amount_minor, currency, description, image_url, metadata, rail, from_number,
    payer_handle, price_id, quantity, interval, interval_count, trial_end, discount, processor, merchant_id,
    is_own_customer, customer_id, session_hash, session_sealed, trace_id, expires_at, check_at, created_at, updated_at,
    secondary_request_id, success_url, return_url, cancel_url, receipt_email, items, locale)
  values ($1, $2, $3, $4::text::payment_request_mode, $5, $6, $7, $8, $9, $10::text::payment_rail, $11, $12, $13, $14,
    $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $26, $27, $27, $28, $29, $30, $31, $32, $33, $34)
  on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing
  returning ${REQUEST_COLUMNS}`;

/** Stores a request, or returns the earlier one with the same key. */
export async function storeRequest(
  tx: Sql,
  ctx: Context,
  request: NewRequest,
): Promise<{ row: PaymentRequestRow; isNew: boolean }> {
  await ensureSlug(tx, ctx.account.id, ctx.now);
  const [stored] = await tx.query<PaymentRequestRow>({
    name: "store-payment-request",
    text: INSERT,
    values: valuesOf(ctx, request),
  });
  if (stored !== undefined) return { row: stored, isNew: true };
  const earlier = await findByKey(ctx.account.id, request.idempotencyKey ?? "", tx);
  if (earlier === null) throw new Error("a payment request was neither stored nor found");
  return { row: earlier, isNew: false };
}

/** Returns the request that was created with an idempotency key, or null for a new key. */
export async function findByKey(
  accountId: string,
  idempotencyKey: string,
  on: Sql = sql,
): Promise<PaymentRequestRow | null> {
  const [row] = await on.query<PaymentRequestRow>({
    name: "payment-request-by-key",
    text: `select ${REQUEST_COLUMNS} from payment_requests r where account_id = $1 and idempotency_key = $2`,
    values: [accountId, idempotencyKey],
  });
  return row ?? null;
}

function valuesOf(ctx: Context, { id, idempotencyKey, body, planned, ...request }: NewRequest): unknown[] {
  const session = newCheckoutSession({ accountId: ctx.account.id, id });
  return [
    ctx.account.id,
    id,
    idempotencyKey,
    body.mode,
    planned.amountMinor,
    planned.currency,
    body.description,
    body.image_url,
    body.metadata === undefined ? null : JSON.stringify(body.metadata),
    body.rail,
    body.from,
    body.payer_handle,
    body.price_id,
    planned.quantity,
    planned.interval,
    planned.intervalCount,
    planned.trialEnd,
    body.discount === undefined ? null : JSON.stringify(body.discount),
    request.processor,
    request.merchant.merchantId,
    body.customer_id === undefined,
    request.customerId,
    session.hash,
    session.sealed,
    ctx.traceId,
    planned.expiresAt,
    ctx.now,
    request.secondaryRequestId,
    body.success_url,
    body.return_url,
    body.cancel_url,
    body.receipt_email,
    body.items === undefined ? null : JSON.stringify(body.items),
    body.locale,
  ];
}
