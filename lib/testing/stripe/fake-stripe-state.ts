import type Stripe from "stripe";

type Tell = (account: string, type: string, object: unknown) => Promise<void>;

export type FakeIntent = Pick<
  Stripe.PaymentIntent,
  "id" | "object" | "amount" | "amount_received" | "currency" | "status" | "client_secret" | "metadata"
> & {
  receipt_email?: string;
  last_payment_error: Pick<
    Stripe.PaymentIntent.LastPaymentError,
    "type" | "code" | "decline_code" | "message"
  > | null;
  latest_charge: { id: string; object: "charge"; created: number } | null;
  created: number;
};

type FakeSetup = Pick<
  Stripe.SetupIntent,
  "id" | "object" | "status" | "client_secret" | "customer" | "created"
>;

export type FakeInvoice = Pick<
  Stripe.Invoice,
  "id" | "object" | "status" | "amount_due" | "amount_paid" | "billing_reason" | "currency"
> & {
  status_transitions: { paid_at: number | null };
  confirmation_secret: { client_secret: string; type: "payment_intent" } | null;
  payments: { object: "list"; data: { payment: { type: "payment_intent"; payment_intent: string } }[] };
  parent: { type: "subscription_details"; subscription_details: { subscription: string } };
};

export type FakeSubscription = Pick<
  Stripe.Subscription,
  "id" | "object" | "status" | "metadata" | "customer" | "created" | "currency" | "default_payment_method"
> & {
  latest_invoice: FakeInvoice;
  pending_setup_intent: FakeSetup | null;
};

export type FakeRefund = Pick<
  Stripe.Refund,
  "id" | "object" | "amount" | "currency" | "status" | "reason" | "created"
> & { payment_intent: string };

export type FakeDispute = Pick<
  Stripe.Dispute,
  "id" | "object" | "amount" | "currency" | "status" | "reason" | "created"
> & { payment_intent: string; evidence_details: { due_by: number | null } };

type FakeCustomer = Pick<Stripe.Customer, "id" | "object"> & {
  metadata?: Stripe.Metadata;
  email?: string;
  deleted?: true;
};

type FakeAccount = Pick<Stripe.Account, "id" | "object" | "charges_enabled" | "country"> & {
  capabilities?: { card_issuing: "active" | "inactive" | "pending" };
  business_profile?: { name: string };
  company?: { name: string; address: { line1: string; city: string; country: string; postal_code: string } };
  requirements?: { currently_due: string[]; disabled_reason: string | null };
};

export type FakeCardholder = Pick<Stripe.Issuing.Cardholder, "id" | "object" | "name" | "status"> & {
  requirements: { disabled_reason: null; past_due: string[] };
};

export type FakeCard = Pick<
  Stripe.Issuing.Card,
  | "id"
  | "object"
  | "currency"
  | "status"
  | "brand"
  | "last4"
  | "exp_month"
  | "exp_year"
  | "metadata"
  | "created"
> & {
  cardholder: FakeCardholder;
  cancellation_reason: Stripe.Issuing.Card.CancellationReason | null;
  spending_controls: { spending_limits: { amount: number; interval: "per_authorization" }[] };
  lifecycle_controls: { cancel_after: { payment_count: number } };
};

export type FakeAuthorization = Pick<
  Stripe.Issuing.Authorization,
  "id" | "object" | "amount" | "approved" | "created" | "currency" | "status"
> & {
  card: FakeCard;
  merchant_data: Pick<Stripe.Issuing.Authorization.MerchantData, "name" | "url" | "category">;
  pending_request: Pick<Stripe.Issuing.Authorization.PendingRequest, "amount" | "currency"> | null;
  request_history: { approved: boolean; reason: Stripe.Issuing.Authorization.RequestHistory.Reason }[];
  transactions: { id: string }[];
};

/** Issued cards. Like all objects of an account, they have the key `account/id`. */
interface IssuingBooks {
  /** The URL that an account's admin returns to after the setup. */
  links: Map<string, { return_url: string; refresh_url: string }>;
  cardholders: Map<string, FakeCardholder>;
  cards: Map<string, FakeCard>;
  /** Card numbers by card id. */
  secrets: Map<string, { number: string; cvc: string }>;
  authorizations: Map<string, FakeAuthorization>;
  /** Ephemeral keys by secret, with the card that each gives access to. */
  keys: Map<string, { id: string; card: string }>;
}

export interface StoredAnswer {
  status: number;
  body: unknown;
  isReplayed?: boolean;
}

/** The state of the fake. Objects of an account have the key `account/id`. */
export interface FakeStripeState {
  /** The URL of the fake. */
  baseUrl: string;
  accounts: Map<string, FakeAccount>;
  /** OAuth codes and their accounts. */
  codes: Map<string, string>;
  /** The client id of the platform. */
  clientId: string;
  /** Accounts that have revoked the platform's access. */
  gone: Set<string>;
  /** Hosts registered for wallets, as `account/host`. */
  domains: Set<string>;
  customers: Map<string, FakeCustomer>;
  prices: Map<
    string,
    Pick<Stripe.Price, "id" | "object" | "active" | "currency" | "unit_amount"> & { recurring: object | null }
  >;
  coupons: Map<string, Pick<Stripe.Coupon, "id" | "object" | "valid" | "percent_off">>;
  intents: Map<string, FakeIntent>;
  refunds: Map<string, FakeRefund>;
  disputes: Map<string, FakeDispute>;
  setups: Map<string, FakeSetup>;
  subscriptions: Map<string, FakeSubscription>;
  issuing: IssuingBooks;
  /** The response to each idempotency key. */
  answers: Map<string, StoredAnswer>;
  tell: Tell;
}

export function createFakeStripeState(tell: Tell): FakeStripeState {
  return {
    baseUrl: "",
    accounts: new Map(),
    codes: new Map(),
    clientId: "ca_fake",
    gone: new Set(),
    domains: new Set(),
    customers: new Map(),
    prices: new Map(),
    coupons: new Map(),
    intents: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    setups: new Map(),
    subscriptions: new Map(),
    issuing: {
      links: new Map(),
      cardholders: new Map(),
      cards: new Map(),
      secrets: new Map(),
      authorizations: new Map(),
      keys: new Map(),
    },
    answers: new Map(),
    tell,
  };
}
