import "server-only";
import { z } from "zod";
import { PaymentRequest, REQUEST_COLUMNS, toPaymentRequest } from "@/lib/payments/requests/payment-request";
import { REVERSALS, ReversalFields, toReversalFields } from "@/lib/payments/requests/settle/payment-reversal";
import type { RowOf } from "@/lib/platform/database/statement";
import { formatAmount } from "@/lib/platform/text/money";

const SentTo = z.object({ chat_id: z.uuid(), handle: z.string().nullable() });

/** A chat that received a request's link. */
export type SentToChat = z.infer<typeof SentTo>;

/** A request in the dashboard. */
export const PaymentRequestView = PaymentRequest.extend({
  /** Formatted: $12.50. */
  amount_text: z.string(),
  /** The payer has paid, but the processor does not yet know whether the money will arrive. */
  is_processing: z.boolean(),
  processor: z.string(),
  /** The chats that received its link. */
  sent_to: z.array(SentTo),
  ...ReversalFields.shape,
}).meta({ id: "PaymentRequestView" });

export type PaymentRequestView = z.infer<typeof PaymentRequestView>;

export type PaymentRequestViewRow = RowOf<"get-payment-request-view">;

/** The columns of a PaymentRequestViewRow, from `payment_requests r`. */
export const PAYMENT_REQUEST_VIEW_COLUMNS = `${REQUEST_COLUMNS}, (
  select coalesce(json_agg(json_build_object('chat_id', m.chat_id, 'handle', (
    select p.handle from participants p where p.account_id = m.account_id and p.chat_id = m.chat_id and not p.is_me
    order by p.handle limit 1)) order by m.message_id), '[]')
  from payment_request_messages m
  where m.account_id = r.account_id and m.payment_request_id = r.id) as "sentTo: SentToChat[]", ${REVERSALS} as "reversals: ReversalRow[]"`;

export function toPaymentRequestView(row: PaymentRequestViewRow): PaymentRequestView {
  return {
    ...toPaymentRequest(row),
    amount_text: formatAmount(row.amountMinor, row.currency, "en"),
    is_processing: row.isProcessing,
    processor: row.processor,
    sent_to: row.sentTo,
    ...toReversalFields(row.reversals, row.chargedMinor ?? row.amountMinor, row.currency),
  };
}
