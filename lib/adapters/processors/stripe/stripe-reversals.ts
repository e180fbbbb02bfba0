import "server-only";
import type Stripe from "stripe";
import type { Merchant, Reversal } from "@/lib/adapters/processors/processor";
import { callStripe, stripeApi } from "@/lib/adapters/processors/stripe/stripe-api";
import { minorUnits } from "@/lib/platform/text/money";

/** One payment has few refunds and disputes. Older ones than these are not read. */
const MAX_READ = 100;

const REFUNDS: Readonly<Record<string, Reversal["status"]>> = {
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};
const DISPUTES: Readonly<Record<string, Reversal["status"]>> = {
  needs_response: "needs_response",
  warning_needs_response: "needs_response",
  appeal_needs_response: "needs_response",
  won: "won",
  prevented: "closed",
  warning_closed: "closed",
  lost: "lost",
};

/** Reads the refunds and disputes of a payment at Stripe. Throws AdapterError. */
export async function fetchReversals({ merchantId }: Merchant, paymentIntentId: string): Promise<Reversal[]> {
  const options = { stripeAccount: merchantId };
  const asked = { payment_intent: paymentIntentId, limit: MAX_READ };
  const [refunds, disputes] = await Promise.all([
    callStripe(stripeApi().refunds.list(asked, options)),
    callStripe(stripeApi().disputes.list(asked, options)),
  ]);
  return [...refunds.data.map(ofRefund), ...disputes.data.map(ofDispute)];
}

function ofRefund({ id, amount, currency, status, reason, created }: Stripe.Refund): Reversal {
  return {
    id,
    type: "refund",
    // pending and requires_action: the money has not arrived.
    status: REFUNDS[status ?? ""] ?? "pending",
    amountMinor: minorUnits(amount, currency),
    currency,
    reason,
    respondBy: null,
    at: new Date(created * 1000),
  };
}

function ofDispute(dispute: Stripe.Dispute): Reversal {
  const { id, amount, currency, status, reason, created, evidence_details: evidence } = dispute;
  return {
    id,
    type: "dispute",
    status: DISPUTES[status] ?? "under_review",
    amountMinor: minorUnits(amount, currency),
    currency,
    reason,
    respondBy: evidence.due_by === null ? null : new Date(evidence.due_by * 1000),
    at: new Date(created * 1000),
  };
}
