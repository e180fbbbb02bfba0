import type Stripe from "stripe";

type Tell = (account: string, type: string, object: unknown) => Promise<void>;

export type FakeIntent = Pick<
  Stripe.PaymentIntent,
  "id" | "object" | "amount" | "amount_received" | "currency" | "status" | "client_secret" | "metadata"
> & {
  last_payment_error: Pick<
    Stripe.PaymentIntent.LastPaymentError,
    "type" | "code" | "decline_code" | "message"
  > | null;
  latest_charge: { id: string; object: "charge"; created: number } | null;
  created: number;
};

type FakeSetup = Pick<Stripe.SetupIntent, "id" | "object" | "status" | "client_secret">;

export type FakeInvoice = Pick<Stripe.Invoice, "id" | "object" | "status" | "amount_due" | "amount_paid"> & {
  status_transitions: { paid_at: number | null };
  confirmation_secret: { client_secret: string; type: "payment_intent" } | null;
  payments: { object: "list"; data: { payment: { type: "payment_intent"; payment_intent: string } }[] };
  parent: { type: "subscription_details"; subscription_details: { subscription: string } };
};

export type FakeSubscription = Pick<Stripe.Subscription, "id" | "object" | "status" | "metadata"> & {
  latest_invoice: FakeInvoice;
  pending_setup_intent: FakeSetup | null;
};

type FakeCustomer = Pick<Stripe.Customer, "id" | "object" | "metadata"> & { deleted?: boolean };

/** What the fake knows: all of an account is kept under `account/id`. */
export interface StripeBooks {
  accounts: Map<string, Pick<Stripe.Account, "id" | "object" | "charges_enabled" | "country">>;
  /** OAuth codes and the accounts they stand for. */
  codes: Map<string, string>;
  customers: Map<string, FakeCustomer>;
  prices: Map<
    string,
    Pick<Stripe.Price, "id" | "object" | "active" | "currency" | "unit_amount"> & { recurring: object | null }
  >;
  coupons: Map<string, Pick<Stripe.Coupon, "id" | "object" | "valid" | "percent_off">>;
  intents: Map<string, FakeIntent>;
  setups: Map<string, FakeSetup>;
  subscriptions: Map<string, FakeSubscription>;
  /** What was answered to each idempotency key. */
  answers: Map<string, unknown>;
  tell: Tell;
}

export function emptyBooks(tell: Tell): StripeBooks {
  return {
    accounts: new Map(),
    codes: new Map(),
    customers: new Map(),
    prices: new Map(),
    coupons: new Map(),
    intents: new Map(),
    setups: new Map(),
    subscriptions: new Map(),
    answers: new Map(),
    tell,
  };
}
