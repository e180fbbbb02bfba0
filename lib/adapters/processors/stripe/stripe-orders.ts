import "server-only";
import type Stripe from "stripe";
import { AdapterError } from "@/lib/adapters/adapter-error";
import {
  type Merchant,
  type Order,
  type OrderRefs,
  type PaymentField,
  REQUEST_MARKER,
} from "@/lib/adapters/processors/processor";
import {
  callStripe,
  createAtStripe,
  findAtStripe,
  stripeApi,
  stripeSetting,
} from "@/lib/adapters/processors/stripe/stripe-api";
import { type MinorUnits, minorUnits } from "@/lib/platform/text/money";

type Opened = OrderRefs & { field: PaymentField };

/** The expanded properties of a subscription: its first invoice, and the payment method that a trial collects. */
export const SUBSCRIPTION_EXPAND = [
  "latest_invoice.confirmation_secret",
  "latest_invoice.payments",
  "pending_setup_intent",
];

/** Returns an order's payment, or creates it, on the partner's own account. */
export async function openPayment(merchant: Merchant, order: Order): Promise<Opened> {
  const stripeAccount = merchant.merchantId;
  const known = order.paymentIntentId;
  const intents = stripeApi().paymentIntents;
  const intent =
    known === null
      ? await createAtStripe<Stripe.PaymentIntent>(
          `payment:${order.key}`,
          (options) =>
            intents.create(
              {
                amount: order.amountMinor,
                currency: order.currency,
                automatic_payment_methods: { enabled: true },
                metadata: order.metadata,
                ...(order.customerId === null ? {} : { customer: order.customerId }),
                ...(order.description === null ? {} : { description: order.description }),
                ...(order.receiptEmail === null ? {} : { receipt_email: order.receiptEmail }),
              },
              { stripeAccount, ...options },
            ),
          () =>
            findMarked(
              order,
              intents.list({ limit: 100, created: { gte: storedSince() } }, { stripeAccount }),
            ),
        )
      : await callStripe(intents.retrieve(known, {}, { stripeAccount }));
  const refs = { paymentIntentId: intent.id, subscriptionId: null };
  return {
    ...refs,
    field: fieldOf(
      merchant,
      { intent: "payment", amountMinor: minorUnits(intent.amount, intent.currency) },
      intent.client_secret,
    ),
  };
}

/** More payments of a merchant than one day usually has. */
const MAX_SEARCHED = 2000;
/** Longer than Stripe keeps the response of an idempotency key. */
const STORED_HOURS = 25;

function storedSince(): number {
  return Math.floor(Date.now() / 1000) - STORED_HOURS * 60 * 60;
}

/** Finds the order's object in a list of Stripe's, by its metadata. Throws `unknown_outcome` when the list is too long. */
async function findMarked<Made extends { metadata: Stripe.Metadata }>(
  { metadata }: Order,
  list: AsyncIterable<Made>,
): Promise<Made | null> {
  const marker = metadata[REQUEST_MARKER];
  let searched = 0;
  for await (const made of list) {
    if (marker !== undefined && made.metadata[REQUEST_MARKER] === marker) return made;
    if (++searched === MAX_SEARCHED) throw new AdapterError("unknown_outcome", "too many payments to search");
  }
  return null;
}

/**
 * Returns an order's subscription, or creates it. Incomplete subscriptions expire after 23 hours and are created again.
 */
export async function openSubscription(merchant: Merchant, order: Order): Promise<Opened> {
  const stripeAccount = merchant.merchantId;
  const known = order.subscriptionId;
  const found =
    known === null
      ? null
      : await findAtStripe(
          stripeApi().subscriptions.retrieve(known, { expand: SUBSCRIPTION_EXPAND }, { stripeAccount }),
        );
  const isAlive = found !== null && found.status !== "incomplete_expired" && found.status !== "canceled";
  const subscription = isAlive ? found : await createSubscription(merchant, order, known);
  const refs = { paymentIntentId: null, subscriptionId: subscription.id };
  const field = fieldOfSubscription(merchant, subscription);
  if (field !== null) return { ...refs, field };
  // A subscription created just now would start without the payer: a payment method is on file and nothing is due.
  if (!isAlive) {
    await callStripe(stripeApi().subscriptions.cancel(subscription.id, {}, { stripeAccount }));
  }
  throw new AdapterError(
    "rejected",
    "the customer already has a payment method: there is nothing to collect",
  );
}

function createSubscription(
  merchant: Merchant,
  order: Order,
  dead: string | null,
): Promise<Stripe.Subscription> {
  const { customerId, priceId, trialEnd, discount, description, metadata, key } = order;
  if (customerId === null || priceId === null) throw new AdapterError("rejected", "no customer or price");
  const trial: Partial<Stripe.SubscriptionCreateParams> =
    trialEnd === null
      ? {}
      : {
          trial_end: Math.ceil(trialEnd.getTime() / 1000),
          trial_settings: { end_behavior: { missing_payment_method: "cancel" } },
        };
  const stripeAccount = merchant.merchantId;
  const { subscriptions } = stripeApi();
  return createAtStripe<Stripe.Subscription>(
    `subscription:${key}:${dead ?? ""}`,
    (options) =>
      subscriptions.create(
        {
          customer: customerId,
          items: [{ price: priceId, quantity: order.quantity }],
          payment_behavior: "default_incomplete",
          payment_settings: { save_default_payment_method: "on_subscription" },
          metadata,
          expand: SUBSCRIPTION_EXPAND,
          ...(description === null ? {} : { description }),
          ...(discount === null ? {} : { discounts: [discountOf(discount)] }),
          ...trial,
        },
        { stripeAccount, ...options },
      ),
    () => findNewSubscription(stripeAccount, order, dead),
  );
}

/** Finds the order's subscription among its customer's, except canceled ones and the one that it replaces. */
async function findNewSubscription(
  stripeAccount: string,
  order: Order,
  dead: string | null,
): Promise<Stripe.Subscription | null> {
  const expand = SUBSCRIPTION_EXPAND.map((path) => `data.${path}`);
  const query = { customer: order.customerId ?? "", limit: 100, expand };
  const found = await findMarked(order, stripeApi().subscriptions.list(query, { stripeAccount }));
  return found?.id === dead ? null : found;
}

// Stripe knows only the id. The label is Trunkline's.
function discountOf({ coupon, promotion_code }: NonNullable<Order["discount"]>) {
  return coupon === undefined ? { promotion_code } : { coupon };
}

function fieldOfSubscription(merchant: Merchant, subscription: Stripe.Subscription): PaymentField | null {
  const { latest_invoice: invoice, pending_setup_intent: setup } = subscription;
  if (typeof setup === "object" && setup !== null) {
    return fieldOf(
      merchant,
      { intent: "setup", amountMinor: minorUnits(0, subscription.currency) },
      setup.client_secret,
    );
  }
  const due = typeof invoice === "object" ? invoice : null;
  const secret = due?.confirmation_secret?.client_secret;
  if (due === null || secret === undefined) return null;
  return fieldOf(
    merchant,
    { intent: "payment", amountMinor: minorUnits(due.amount_due, due.currency) },
    secret,
  );
}

function fieldOf(
  { merchantId }: Merchant,
  what: { intent: "payment" | "setup"; amountMinor: MinorUnits },
  clientSecret: string | null | undefined,
): PaymentField {
  if (clientSecret == null) throw new AdapterError("rejected", "Stripe returned no client secret");
  const publishableKey = stripeSetting("STRIPE_PUBLISHABLE_KEY");
  return { kind: "stripe", clientSecret, ...what, publishableKey, merchantId };
}
