import "server-only";
import type Stripe from "stripe";
import type { PayerFact, ProcessorEvent } from "@/lib/adapters/processors/processor";
import { findPaymentFailure } from "@/lib/adapters/processors/stripe/stripe-outcome";

/**
 * Converts a Stripe event. Returns null for an irrelevant event. Throws AdapterError when a required call to Stripe
 * fails.
 */
export async function toProcessorEvent(event: Stripe.Event): Promise<ProcessorEvent | null> {
  const merchantId = event.account ?? "";
  switch (event.type) {
    case "payment_intent.succeeded":
    case "payment_intent.processing":
    case "payment_intent.canceled":
      return ofPayment(merchantId, event.data.object.id);
    case "payment_intent.payment_failed": {
      const { id, last_payment_error: error } = event.data.object;
      return { ...ofPayment(merchantId, id), fact: { type: "declined", reason: reasonOf(error) } };
    }
    case "payment_intent.requires_action":
      return { ...ofPayment(merchantId, event.data.object.id), fact: CHALLENGED };
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return ofSubscription(merchantId, event.data.object.id);
    case "invoice.paid":
      return ofInvoice(merchantId, event.data.object);
    case "invoice.payment_action_required":
      return isFirst(event.data.object)
        ? withFact(ofInvoice(merchantId, event.data.object), CHALLENGED)
        : null;
    case "invoice.payment_failed":
      return isFirst(event.data.object) ? declinedInvoice(merchantId, event.data.object) : null;
    case "charge.refunded":
    case "charge.refund.updated":
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
      return ofReversal(merchantId, event.data.object.payment_intent);
    case "account.updated":
    case "account.application.deauthorized":
      return { about: "merchant", merchantId };
    default:
      return null;
  }
}

const CHALLENGED: PayerFact = { type: "challenged", reason: null };

type OrderEvent = Extract<ProcessorEvent, { about: "order" }>;

function ofPayment(merchantId: string, paymentIntentId: string): OrderEvent {
  return { about: "order", merchantId, refs: { paymentIntentId, subscriptionId: null } };
}

/** Returns null for a charge without a payment intent, which Trunkline did not create. */
function ofReversal(merchantId: string, intent: string | Stripe.PaymentIntent | null): ProcessorEvent | null {
  if (intent === null) return null;
  return { about: "reversal", merchantId, paymentIntentId: typeof intent === "string" ? intent : intent.id };
}

function ofSubscription(merchantId: string, subscriptionId: string): OrderEvent {
  return { about: "order", merchantId, refs: { paymentIntentId: null, subscriptionId } };
}

/** Returns null for an invoice without a subscription, which Trunkline did not create. */
function ofInvoice(merchantId: string, { parent }: Stripe.Invoice): OrderEvent | null {
  const subscription = parent?.subscription_details?.subscription;
  if (subscription === undefined) return null;
  return ofSubscription(merchantId, typeof subscription === "string" ? subscription : subscription.id);
}

// Renewals concern only the payer and the merchant. They are not attempts to pay a request.
function isFirst({ billing_reason }: Stripe.Invoice): boolean {
  return billing_reason === "subscription_create";
}

function withFact(notice: OrderEvent | null, fact: PayerFact): OrderEvent | null {
  return notice === null ? null : { ...notice, fact };
}

// The reason is on the invoice's payment, not on the invoice.
async function declinedInvoice(merchantId: string, invoice: Stripe.Invoice): Promise<OrderEvent | null> {
  const notice = ofInvoice(merchantId, invoice);
  if (notice === null) return null;
  const merchant = { accountId: "", merchantId };
  const error = await findPaymentFailure(merchant, notice.refs.subscriptionId ?? "");
  return withFact(notice, { type: "declined", reason: reasonOf(error) });
}

function reasonOf(error: Stripe.PaymentIntent.LastPaymentError | null): string | null {
  return error?.decline_code ?? error?.code ?? null;
}
