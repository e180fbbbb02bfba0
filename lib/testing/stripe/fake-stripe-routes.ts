import {
  type Handler,
  metadataOf,
  newId,
  OAuthRefusal,
  requireFound,
  type StripeCall,
  StripeRefusal,
  seconds,
} from "@/lib/testing/stripe/fake-stripe-call";
import { ISSUING_ROUTES } from "@/lib/testing/stripe/fake-stripe-issuing";
import type {
  FakeIntent,
  FakeInvoice,
  FakeStripeState,
  FakeSubscription,
} from "@/lib/testing/stripe/fake-stripe-state";

const CURRENCIES = "usd eur jpy gbp kwd bhd jod omr tnd isk ugx huf mxn idr".split(" ");

/** The API calls that the fake handles. */
export const STRIPE_ROUTES: Readonly<Record<string, Handler>> = {
  ...ISSUING_ROUTES,
  "POST /oauth/token": ({ codes, gone }, { form, bearer }) => {
    const account = codes.get(form.get("code") ?? "");
    if (account === undefined) throw new OAuthRefusal("invalid_grant");
    gone.delete(account);
    const livemode = bearer.startsWith("sk_live_");
    return { stripe_user_id: account, livemode, scope: "read_write", token_type: "bearer" };
  },
  "POST /oauth/deauthorize": ({ gone, clientId }, { form }) => {
    const account = form.get("stripe_user_id") ?? "";
    if (gone.has(account) || form.get("client_id") !== clientId)
      throw new OAuthRefusal("invalid_client", 401);
    gone.add(account);
    return { stripe_user_id: account };
  },
  "GET /v1/accounts/:id": ({ accounts, gone }, { id }) => {
    if (gone.has(id)) throw new StripeRefusal("account_invalid", 403);
    return requireFound(accounts.get(id));
  },
  "POST /v1/payment_method_domains": ({ domains }, { account, form }) => {
    const domain_name = form.get("domain_name") ?? "";
    domains.add(`${account}/${domain_name}`);
    return { id: newId("pmd"), object: "payment_method_domain", domain_name, enabled: true };
  },
  "GET /v1/country_specs/:id": (_, { id }) => ({
    id,
    object: "country_spec",
    supported_payment_currencies: CURRENCIES,
  }),
  "GET /v1/prices/:id": ({ prices }, { account, id }) => requireFound(prices.get(`${account}/${id}`)),
  "GET /v1/coupons/:id": ({ coupons }, { account, id }) => requireFound(coupons.get(`${account}/${id}`)),
  "GET /v1/promotion_codes/:id": () => requireFound(undefined),
  "GET /v1/customers/:id": ({ customers }, { account, id }) =>
    requireFound(customers.get(`${account}/${id}`)),
  "POST /v1/customers": ({ customers }, { account, form }) => {
    const email = form.get("email");
    const customer = {
      id: newId("cus"),
      object: "customer" as const,
      metadata: metadataOf(form),
      ...(email === null ? {} : { email }),
    };
    customers.set(`${account}/${customer.id}`, customer);
    return customer;
  },
  "POST /v1/payment_intents": (books, { account, form }) =>
    newIntent(books, account, { amount: Number(form.get("amount")), form }),
  "GET /v1/payment_intents": ({ intents }, { account, query }) => ({
    object: "list",
    has_more: false,
    data: [...intents]
      .filter(([key]) => key.startsWith(`${account}/`))
      .map(([, intent]) => intent)
      .filter(({ created }) => created >= Number(query.get("created[gte]") ?? 0)),
  }),
  "GET /v1/subscriptions": ({ subscriptions }, { account, query }) => ({
    object: "list",
    has_more: false,
    data: [...subscriptions]
      .filter(([key]) => key.startsWith(`${account}/`))
      .map(([, subscription]) => subscription)
      .filter(({ customer, status }) => customer === query.get("customer") && status !== "canceled")
      .toReversed(),
  }),
  "GET /v1/charges/:id": ({ intents }, { account, id }) => {
    const [, intent] = requireFound(
      [...intents].find(
        ([key, { latest_charge }]) => key.startsWith(`${account}/`) && latest_charge?.id === id,
      ),
    );
    return { ...intent.latest_charge, payment_intent: intent.id };
  },
  "GET /v1/payment_intents/:id": ({ intents }, { account, id }) =>
    requireFound(intents.get(`${account}/${id}`)),
  "GET /v1/refunds": ({ refunds }, call) => listOf(refunds, call),
  "GET /v1/disputes": ({ disputes }, call) => listOf(disputes, call),
  "POST /v1/payment_intents/:id/cancel": ({ intents, tell }, { account, id }) => {
    const intent = requireFound(intents.get(`${account}/${id}`));
    if (intent.status !== "requires_payment_method" && intent.status !== "requires_action")
      throw new StripeRefusal("payment_intent_unexpected_state");
    intent.status = "canceled";
    void tell(account, "payment_intent.canceled", intent);
    return intent;
  },
  "POST /v1/subscriptions": newSubscription,
  "GET /v1/subscriptions/:id": ({ subscriptions }, { account, id }) =>
    requireFound(subscriptions.get(`${account}/${id}`)),
  "DELETE /v1/subscriptions/:id": ({ subscriptions }, { account, id }) => {
    const subscription = requireFound(subscriptions.get(`${account}/${id}`));
    if (subscription.status === "incomplete_expired") throw new StripeRefusal("resource_missing", 404);
    subscription.status = "canceled";
    return subscription;
  },
  "GET /v1/setup_intents": ({ setups }, { account, query }) => ({
    object: "list",
    has_more: false,
    data: [...setups]
      .filter(([key, { customer }]) => key.startsWith(`${account}/`) && customer === query.get("customer"))
      .map(([, setup]) => setup)
      .filter(({ created }) => created >= Number(query.get("created[gte]") ?? 0)),
  }),
  "POST /v1/setup_intents/:id/cancel": ({ setups }, { account, id }) => {
    const setup = requireFound(setups.get(`${account}/${id}`));
    if (setup.status !== "requires_payment_method") throw new StripeRefusal("setup_intent_unexpected_state");
    setup.status = "canceled";
    return setup;
  },
  "POST /v1/invoices/:id/void": ({ subscriptions }, { id }) => {
    const subscription = requireFound(
      [...subscriptions.values()].find((each) => each.latest_invoice.id === id),
    );
    if (subscription.latest_invoice.status !== "open") throw new StripeRefusal("invoice_not_editable");
    subscription.latest_invoice.status = "void";
    subscription.status = "incomplete_expired";
    return subscription.latest_invoice;
  },
};

/** Handles one API call. Throws StripeRefusal. */
export function answerStripe(books: FakeStripeState, call: StripeCall): unknown {
  if (books.gone.has(call.account)) throw new StripeRefusal("account_invalid", 403);
  const path = call.path.replace(/^\/v1\/oauth/, "/oauth");
  for (const [route, handler] of Object.entries(STRIPE_ROUTES)) {
    const match = new RegExp(`^${route.replace(":id", "([^/]+)")}$`).exec(`${call.method} ${path}`);
    if (match !== null) return handler(books, { ...call, id: match[1] ?? "" });
  }
  throw new StripeRefusal("unknown_route", 404);
}

/** The objects of the account and the payment that a list names, newest first. */
function listOf(
  objects: ReadonlyMap<string, { payment_intent: string; created: number }>,
  { account, query }: StripeCall,
) {
  const data = [...objects]
    .filter(([key]) => key.startsWith(`${account}/`))
    .map(([, object]) => object)
    .filter(({ payment_intent }) => payment_intent === query.get("payment_intent"))
    .toSorted((left, right) => right.created - left.created);
  return { object: "list", has_more: false, data };
}

function newSubscription(books: FakeStripeState, { account, form }: StripeCall): FakeSubscription {
  const customer = requireFound(books.customers.get(`${account}/${form.get("customer")}`)).id;
  const price = requireFound(books.prices.get(`${account}/${form.get("items[0][price]")}`));
  const coupon = books.coupons.get(`${account}/${form.get("discounts[0][coupon]")}`);
  const isTrial = form.has("trial_end");
  const full = (price.unit_amount ?? 0) * Number(form.get("items[0][quantity]") ?? 1);
  const amount = isTrial ? 0 : Math.round((full * (100 - (coupon?.percent_off ?? 0))) / 100);
  const id = newId("sub");
  const intent = isTrial ? null : newIntent(books, account, { amount, form });
  const setup = isTrial ? newSetup(books, account, customer) : null;
  const subscription: FakeSubscription = {
    id,
    object: "subscription",
    status: isTrial ? "trialing" : "incomplete",
    metadata: metadataOf(form),
    customer,
    created: seconds(),
    default_payment_method: null,
    currency: price.currency,
    latest_invoice: newInvoice(id, { amount, currency: price.currency, intent }),
    pending_setup_intent: setup,
  };
  books.subscriptions.set(`${account}/${id}`, subscription);
  return subscription;
}

function newInvoice(
  subscription: string,
  { amount, currency, intent }: { amount: number; currency: string; intent: FakeIntent | null },
): FakeInvoice {
  const payment =
    intent === null ? [] : [{ payment: { type: "payment_intent" as const, payment_intent: intent.id } }];
  const client_secret = intent?.client_secret ?? null;
  return {
    id: newId("in"),
    object: "invoice",
    billing_reason: "subscription_create",
    status: intent === null ? "paid" : "open",
    amount_due: amount,
    amount_paid: 0,
    currency,
    status_transitions: { paid_at: intent === null ? seconds() : null },
    confirmation_secret: client_secret === null ? null : { client_secret, type: "payment_intent" },
    payments: { object: "list", data: payment },
    parent: { type: "subscription_details", subscription_details: { subscription } },
  };
}

function newIntent(
  { intents }: FakeStripeState,
  account: string,
  { amount, form }: { amount: number; form: URLSearchParams },
): FakeIntent {
  const id = newId("pi");
  const intent: FakeIntent = {
    id,
    object: "payment_intent",
    amount,
    amount_received: 0,
    currency: form.get("currency") ?? "usd",
    status: "requires_payment_method",
    client_secret: `${id}_secret_${newId("x")}`,
    metadata: metadataOf(form),
    ...(form.has("receipt_email") ? { receipt_email: form.get("receipt_email") ?? "" } : {}),
    last_payment_error: null,
    latest_charge: null,
    created: seconds(),
  };
  intents.set(`${account}/${id}`, intent);
  return intent;
}

function newSetup({ setups }: FakeStripeState, account: string, customer: string) {
  const id = newId("seti");
  const setup = {
    id,
    object: "setup_intent" as const,
    status: "requires_payment_method" as const,
    client_secret: `${id}_secret_${newId("x")}`,
    customer,
    created: seconds(),
  };
  setups.set(`${account}/${id}`, setup);
  return setup;
}
