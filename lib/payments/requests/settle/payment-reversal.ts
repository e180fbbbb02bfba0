import "server-only";
import { z } from "zod";
import { REVERSAL_STATUSES, REVERSAL_TYPES } from "@/lib/adapters/processors/processor";
import { formatAmount, type MinorUnits, minorUnits } from "@/lib/platform/text/money";

/** A refund or a dispute of a payment in the dashboard. The API and webhooks contain neither. */
const PaymentReversal = z.object({
  /** The processor's id. */
  id: z.string(),
  type: z.enum(REVERSAL_TYPES),
  status: z.enum(REVERSAL_STATUSES),
  /** Formatted: $12.50. */
  amount_text: z.string(),
  /** The processor's reason. */
  reason: z.string().nullable(),
  /** Until when evidence against an open dispute can be submitted to the processor. */
  respond_by: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

/** The fields of a request about its reversals. */
export const ReversalFields = z.object({
  /** The sum of the refunds that did not fail; null without any. */
  refunded: z.object({ amount_text: z.string(), is_full: z.boolean() }).nullable(),
  /** Refunds and disputes that the processor reported, newest first. */
  reversals: z.array(PaymentReversal),
});

/** A reversal as `REVERSALS` selects it. */
export interface ReversalRow {
  id: string;
  type: (typeof REVERSAL_TYPES)[number];
  status: (typeof REVERSAL_STATUSES)[number];
  amount_minor: number;
  currency: string;
  reason: string | null;
  respond_by: string | null;
  created_at: string;
}

/** The reversals of `payment_requests r`, newest first, as JSON. */
export const REVERSALS = `(
  select coalesce(json_agg(json_build_object('id', v.id, 'type', v.type, 'status', v.status,
    'amount_minor', v.amount_minor, 'currency', v.currency, 'reason', v.reason, 'respond_by', v.respond_by,
    'created_at', v.created_at) order by v.created_at desc, v.id), '[]')
  from payment_reversals v where v.account_id = r.account_id and v.payment_request_id = r.id)`;

/** The only serializer of reversals. `chargedMinor` and `currency` are those of the payment. */
export function toReversalFields(
  rows: readonly ReversalRow[],
  chargedMinor: MinorUnits,
  currency: string,
): z.infer<typeof ReversalFields> {
  const refunded = rows
    .filter(({ type, status }) => type === "refund" && status !== "failed")
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const amount_text = formatAmount(minorUnits(refunded, currency), currency, "en");
  return {
    refunded: refunded === 0 ? null : { amount_text, is_full: refunded >= chargedMinor },
    reversals: rows.map(toPaymentReversal),
  };
}

function toPaymentReversal(row: ReversalRow): z.infer<typeof PaymentReversal> {
  const { id, type, status, amount_minor, currency, reason } = row;
  return {
    id,
    type,
    status,
    amount_text: formatAmount(minorUnits(amount_minor, currency), currency, "en"),
    reason,
    respond_by: row.respond_by === null ? null : new Date(row.respond_by).toISOString(),
    created_at: new Date(row.created_at).toISOString(),
  };
}
