import "server-only";
import type Stripe from "stripe";
import type { PayerFact, ProcessorEvent } from "@/lib/adapters/processors/processor";
import { findAtStripe, requireId, stripeApi } from "@/lib/adapters/processors/stripe/stripe-api";
import { findPaymentFailure } from "@/lib/adapters/processors/stripe/stripe-outcome";

/**
 * Converts a Stripe event. Returns null for an irrelevant event. Throws AdapterError when a required call to Stripe
 * fails.
 */
export async function toProcessorEvent(event: Stripe.Event): Promise<ProcessorEvent | null> {
  // An event of the platform's own account is about no merchant.
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
    case "setup_intent.succeeded":
    case "setup_intent.canceled":
      return ofSetup(merchantId, event.data.object);
    case "setup_intent.setup_failed": {
      const reason = reasonOf(event.data.object.last_setup_error);
      return withFact(await ofSetup(merchantId, event.data.object), { type: "declined", reason });
    }
    case "setup_intent.requires_action":
      return withFact(await ofSetup(merchantId, event.data.object), CHALLENGED);
    case "charge.refunded":
    case "charge.refund.updated":
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
      return ofReversal(merchantId, event.data.object);
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
  return {
    about: "order",
    merchantId,
    refs: { paymentIntentId: requireId(paymentIntentId), subscriptionId: null },
  };
}

/** The fields of refunds, disputes and charges that name the payment. Not all events have all of them. */
interface Reversed {
  object: string;
  id: string;
  payment_intent?: string | Stripe.PaymentIntent | null;
  charge?: string | Stripe.Charge | null;
}

/** Returns null for a charge without a payment intent, which Trunkline did not create. */
async function ofReversal(merchantId: string, reversed: Reversed): Promise<ProcessorEvent | null> {
  const intent = reversed.payment_intent ?? (await findIntentOf(merchantId, reversed));
  if (intent === null) return null;
  return { about: "reversal", merchantId, paymentIntentId: requireId(idOf(intent)) };
}

async function findIntentOf(merchantId: string, { object, id, payment_intent, charge }: Reversed) {
  // null says that the charge has no payment intent.
  if (payment_intent === null) return null;
  const chargeId = object === "charge" ? id : charge;
  if (chargeId == null) return null;
  const charges = stripeApi().charges;
  const found = await findAtStripe(
    charges.retrieve(requireId(idOf(chargeId)), {}, { stripeAccount: merchantId }),
  );
  return found?.payment_intent ?? null;
}

function idOf(object: string | { id: string }): string {
  return typeof object === "string" ? object : object.id;
}

// A setup intent does not name the subscription whose trial collects the payment method.
async function ofSetup(merchantId: string, { id, customer }: Stripe.SetupIntent): Promise<OrderEvent | null> {
  if (customer == null) return null;
  const query = { customer: requireId(idOf(customer)), status: "trialing" as const, limit: 100 };
  const list = stripeApi().subscriptions.list(query, { stripeAccount: merchantId });
  const found = await findAtStripe(list);
  const subscription = found?.data.find(
    ({ pending_setup_intent: setup }) => setup !== null && idOf(setup) === id,
  );
  return subscription === undefined ? null : ofSubscription(merchantId, subscription.id);
}

function ofSubscription(merchantId: string, subscriptionId: string): OrderEvent {
  return {
    about: "order",
    merchantId,
    refs: { paymentIntentId: null, subscriptionId: requireId(subscriptionId) },
  };
}

/** Returns null for an invoice without a subscription, which Trunkline did not create. */
function ofInvoice(merchantId: string, invoice: Stripe.Invoice): OrderEvent | null {
  const subscription = invoice.parent?.subscription_details?.subscription ?? subscriptionBefore2025(invoice);
  return subscription == null ? null : ofSubscription(merchantId, idOf(subscription));
}

/** The subscription in the shape of an invoice before API version 2025-03-31. */
function subscriptionBefore2025(invoice: Stripe.Invoice): string | { id: string } | null {
  return "subscription" in invoice ? (invoice.subscription as string | { id: string } | null) : null;
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

function reasonOf(error: { decline_code?: string; code?: string } | null): string | null {
  return error?.decline_code ?? error?.code ?? null;
}
