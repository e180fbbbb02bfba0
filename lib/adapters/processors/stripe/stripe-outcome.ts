import "server-only";
import type Stripe from "stripe";
import type { Merchant, OrderOutcome, OrderRefs } from "@/lib/adapters/processors/processor";
import { callStripe, stripeApi, tryAtStripe } from "@/lib/adapters/processors/stripe/stripe-api";
import { SUBSCRIPTION_EXPAND } from "@/lib/adapters/processors/stripe/stripe-orders";
import { minorUnits } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

/** Reads the status of an order at Stripe. */
export async function fetchOrderOutcome(merchant: Merchant, refs: OrderRefs): Promise<OrderOutcome> {
  if (refs.subscriptionId !== null) {
    return outcomeOfSubscription(merchant, await readSubscription(merchant, refs.subscriptionId));
  }
  return outcomeOfIntent(await readIntent(merchant, refs.paymentIntentId ?? ""));
}

/** Cancels an order at Stripe, which rejects the cancellation of a paid one, then reads the outcome. */
export async function cancelAtStripe(merchant: Merchant, refs: OrderRefs): Promise<OrderOutcome> {
  const options = { stripeAccount: merchant.merchantId };
  if (refs.subscriptionId === null) {
    await tryAtStripe(stripeApi().paymentIntents.cancel(refs.paymentIntentId ?? "", {}, options));
    return fetchOrderOutcome(merchant, refs);
  }
  const subscription = await readSubscription(merchant, refs.subscriptionId);
  const outcome = await outcomeOfSubscription(merchant, subscription);
  // Stripe would cancel a subscription that was just paid, but never its paid invoice. So the payment is closed first.
  if (outcome.type === "open" && (await closePayment(subscription, options))) {
    await tryAtStripe(stripeApi().subscriptions.cancel(subscription.id, {}, options));
  }
  const after = await readSubscription(merchant, refs.subscriptionId);
  return after.status === "incomplete_expired"
    ? { type: "canceled" }
    : outcomeOfSubscription(merchant, after);
}

/** Returns the last failure of the payment for a subscription's first invoice. */
export async function findPaymentFailure(merchant: Merchant, subscriptionId: string) {
  const { latest_invoice: invoice } = await readSubscription(merchant, subscriptionId);
  const intent = typeof invoice === "object" && invoice !== null ? intentOf(invoice) : undefined;
  return intent === undefined ? null : (await readIntent(merchant, intent)).last_payment_error;
}

// A payment that an earlier, failed cancellation closed counts as closed.
async function closePayment(
  subscription: Stripe.Subscription,
  options: Stripe.RequestOptions,
): Promise<boolean> {
  const { status, pending_setup_intent: setup, latest_invoice: invoice } = subscription;
  if (typeof setup === "object" && setup !== null) {
    if (setup.status === "canceled") return true;
    return tryAtStripe(stripeApi().setupIntents.cancel(setup.id, {}, options));
  }
  if (status === "trialing") return true;
  const id = typeof invoice === "object" ? invoice?.id : invoice;
  return tryAtStripe(stripeApi().invoices.voidInvoice(id ?? "", {}, options));
}

function outcomeOfIntent(intent: Stripe.PaymentIntent): OrderOutcome {
  if (intent.status === "canceled") return { type: "canceled" };
  if (intent.status === "processing") return { type: "processing" };
  if (intent.status !== "succeeded") return { type: "open" };
  const charge = intent.latest_charge;
  const at = typeof charge === "object" && charge !== null ? new Date(charge.created * 1000) : now();
  const chargedMinor = minorUnits(intent.amount_received, intent.currency);
  return { type: "paid", at, chargedMinor, paymentIntentId: intent.id };
}

// A trial is `trialing` from the start. It counts as paid once the payer's payment method was collected.
async function outcomeOfSubscription(
  merchant: Merchant,
  subscription: Stripe.Subscription,
): Promise<OrderOutcome> {
  const { status, latest_invoice: invoice, pending_setup_intent: setup } = subscription;
  if (status === "canceled") return { type: "canceled" };
  // The subscription expired unpaid. Until its request ends, the next checkout that opens creates another one.
  if (status === "incomplete_expired") return { type: "open" };
  if (typeof setup === "object" && setup !== null && setup.status !== "succeeded") {
    return { type: setup.status === "processing" ? "processing" : "open" };
  }
  if (typeof invoice !== "object" || invoice === null) return { type: "open" };
  if (status === "trialing" && !(await hasMethod(merchant, subscription))) return { type: "open" };
  const paymentIntentId = intentOf(invoice);
  if (status === "trialing" || invoice.status === "paid") {
    const paidAt = invoice.status_transitions.paid_at;
    const at = paidAt === null ? now() : new Date(paidAt * 1000);
    const chargedMinor = minorUnits(status === "trialing" ? 0 : invoice.amount_paid, invoice.currency);
    return { type: "paid", at, chargedMinor, paymentIntentId };
  }
  if (paymentIntentId === undefined) return { type: "open" };
  const intent = await readIntent(merchant, paymentIntentId);
  return { type: intent.status === "processing" ? "processing" : "open" };
}

// A setup intent that is no longer pending either succeeded or was canceled. The subscription's payment method shows
// which, or else the customer's setup intents do.
async function hasMethod({ merchantId }: Merchant, subscription: Stripe.Subscription): Promise<boolean> {
  const { customer, created, default_payment_method: method, pending_setup_intent: setup } = subscription;
  if (method !== null || setup !== null) return true;
  const query = {
    customer: typeof customer === "string" ? customer : customer.id,
    created: { gte: created },
  };
  const made = await callStripe(stripeApi().setupIntents.list(query, { stripeAccount: merchantId }));
  return made.data.some((each) => each.status === "succeeded");
}

function intentOf({ payments }: Stripe.Invoice): string | undefined {
  const intent = payments?.data[0]?.payment.payment_intent;
  return typeof intent === "string" ? intent : intent?.id;
}

function readIntent({ merchantId }: Merchant, id: string) {
  return callStripe(
    stripeApi().paymentIntents.retrieve(id, { expand: ["latest_charge"] }, { stripeAccount: merchantId }),
  );
}

function readSubscription({ merchantId }: Merchant, id: string) {
  return callStripe(
    stripeApi().subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPAND }, { stripeAccount: merchantId }),
  );
}
