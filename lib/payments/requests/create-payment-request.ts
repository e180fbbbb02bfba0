import "server-only";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { findMerchant } from "@/lib/payments/processors/find-merchant";
import { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import { planPayment } from "@/lib/payments/requests/create/plan-payment";
import { findByKey, type NewRequest, storeRequest } from "@/lib/payments/requests/create/store-request";
import { PaymentRequest, toPaymentRequest } from "@/lib/payments/requests/payment-request";
import { recordPaymentFact } from "@/lib/payments/requests/settle/record-payment-fact";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { transaction } from "@/lib/platform/database/db";
import { IdempotencyHeaders } from "@/lib/platform/http/idempotency-headers";
import { newId } from "@/lib/platform/ids";

export const CreatePaymentRequest = contract({
  summary: "Request a payment",
  description:
    "Creates a payment request for a one-time payment or a recurring subscription, and returns a `checkout_url` for the recipient. Funds settle in your own processor account. Requires a connected processor that can accept charges; otherwise the request fails with 2011. There is no refund or dispute operation.",
  tag: "Payment requests",
  right: "request_payments",
  headers: IdempotencyHeaders,
  body: PaymentRequestBody.meta({
    examples: [{ amount: 4200, currency: "usd", description: "Dinner for two", metadata: { order: "1042" } }],
  }),
  returns: PaymentRequest,
  status: 201,
  errors: [
    "field_missing",
    "parameter_invalid",
    "phone_not_e164",
    "access_denied",
    "line_not_permitted",
    "feature_not_available",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

/**
 * Creates a hosted checkout link for one payment or a subscription. A repeated `Idempotency-Key` returns the first
 * request (docs/contract.md, sections 4.1 and 13.1). Errors: as `CreatePaymentRequest`.
 */
export async function createPaymentRequest(
  ctx: Context,
  { headers, body }: Omit<Input<typeof CreatePaymentRequest>, "params" | "query">,
): Promise<PaymentRequest> {
  const idempotencyKey = headers["idempotency-key"] ?? null;
  const earlier = idempotencyKey === null ? null : await findByKey(ctx.account.id, idempotencyKey);
  if (earlier !== null) return toPaymentRequest(earlier);

  const { processor, merchant } = await findMerchant(ctx.account);
  if (body.from !== undefined) await findOwnLines(ctx, [body.from]);
  const planned = await planPayment(body, { processor, merchant }, ctx.now);

  const id = newId(ctx.now.getTime(), ctx.account.id, "payment request");
  const customerKey =
    idempotencyKey === null ? id : sha256(`${ctx.account.id}/${idempotencyKey}`).toString("hex");
  const customerId =
    body.customer_id ??
    (body.mode === "subscription"
      ? await callProcessor(
          processor.createCustomer(merchant, customerKey, {
            email: body.receipt_email ?? null,
            metadata: body.metadata ?? {},
          }),
        )
      : null);
  const request: NewRequest = {
    id,
    idempotencyKey,
    body,
    planned,
    customerId,
    secondaryRequestId:
      body.rail === "secondary"
        ? processor.secondaryRequestId?.(merchant, { key: id, mode: body.mode })
        : null,
    merchant,
    processor: processor.name,
  };

  return toPaymentRequest(
    await transaction(async (tx) => {
      const { row, isNew } = await storeRequest(tx, ctx, request);
      if (!isNew) return row;
      const { amountMinor: amount, currency } = planned;
      await recordPaymentFact(tx, row, {
        type: "payment_request.requested",
        traceId: ctx.traceId,
        at: ctx.now,
      });
      await recordAudit(tx, ctx, "payment_request.created", "payment_request", id, { amount, currency });
      return row;
    }),
  );
}
