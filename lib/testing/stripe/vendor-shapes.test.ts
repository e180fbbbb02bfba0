import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { parse, sourcePaths, visit } from "@/lib/testing/source/source-syntax";
import { seedFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { eventOf, type FakeStripe, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { completeSetup } from "@/lib/testing/stripe/fake-stripe-issuing";
import {
  captureAtMerchant,
  chargeIssuedCard,
  reverseAtMerchant,
} from "@/lib/testing/stripe/fake-stripe-merchant";
import { confirmAtStripe } from "@/lib/testing/stripe/fake-stripe-payer";
import { answerStripe, STRIPE_ROUTES } from "@/lib/testing/stripe/fake-stripe-routes";
import { changeDispute, disputeAtStripe, refundAtStripe } from "@/lib/testing/stripe/reverse-at-stripe";

const DATA = path.join(process.env.VENDOR_DATA ?? "/nonexistent", "stripe-fixtures3.json");
const ADAPTERS = ["lib/adapters/processors/stripe", "lib/adapters/card-providers/stripe"];

type Kind = "string" | "number" | "boolean" | "array" | "object";
type Json = Record<string, unknown>;

/** The fields that the adapters read, by object. A field with `?` may be null. */
const READ: Readonly<Record<string, Record<string, Kind | `${Kind}?`>>> = {
  account: {
    id: "string",
    charges_enabled: "boolean",
    country: "string?",
    email: "string?",
    "business_profile.name": "string?",
    "business_profile.support_email": "string?",
    "business_profile.support_phone": "string?",
    "capabilities.card_issuing": "string",
    "requirements.currently_due": "array",
    "requirements.disabled_reason": "string?",
    "company.address.city": "string",
    "company.address.country": "string",
    "company.address.line1": "string",
    "company.address.postal_code": "string",
    "company.address.state": "string",
    "company.name": "string?",
    "company.phone": "string?",
    "individual.address.line1": "string",
    "individual.phone": "string?",
  },
  account_link: { url: "string" },
  charge: { id: "string", object: "string", created: "number", payment_intent: "string?" },
  country_spec: { supported_payment_currencies: "array" },
  coupon: { valid: "boolean" },
  customer: { id: "string" },
  deleted_customer: { deleted: "boolean" },
  dispute: {
    id: "string",
    amount: "number",
    charge: "string",
    created: "number",
    currency: "string",
    "evidence_details.due_by": "number?",
    payment_intent: "string?",
    reason: "string",
    status: "string",
  },
  ephemeral_key: { id: "string", secret: "string" },
  event: {
    id: "string",
    type: "string",
    created: "number",
    account: "string",
    api_version: "string?",
    "data.object": "object",
  },
  invoice: {
    id: "string",
    amount_due: "number",
    amount_paid: "number",
    billing_reason: "string",
    "confirmation_secret.client_secret": "string",
    currency: "string",
    "parent.subscription_details.subscription": "string",
    "payments.data.payment.payment_intent": "string",
    status: "string",
    "status_transitions.paid_at": "number?",
  },
  "issuing.authorization": {
    id: "string",
    amount: "number",
    approved: "boolean",
    "card.currency": "string",
    "card.id": "string",
    "merchant_data.name": "string",
    "merchant_data.url": "string?",
    "pending_request.amount": "number",
    "pending_request.currency": "string",
    request_history: "array",
    status: "string",
    transactions: "array",
  },
  "issuing.card": { id: "string", cancellation_reason: "string?", metadata: "object", status: "string" },
  "issuing.cardholder": {
    id: "string",
    "requirements.disabled_reason": "string?",
    "requirements.past_due": "array",
  },
  "issuing.transaction": {
    amount: "number",
    authorization: "string",
    card: "string",
    currency: "string",
    type: "string",
  },
  payment_intent: {
    id: "string",
    amount: "number",
    amount_received: "number",
    client_secret: "string",
    currency: "string",
    "last_payment_error.code": "string",
    "last_payment_error.decline_code": "string",
    latest_charge: "object?",
    metadata: "object",
    status: "string",
  },
  price: {
    active: "boolean",
    currency: "string",
    "recurring.interval": "string",
    "recurring.interval_count": "number",
    unit_amount: "number",
  },
  promotion_code: { active: "boolean" },
  refund: {
    id: "string",
    amount: "number",
    charge: "string",
    created: "number",
    currency: "string",
    payment_intent: "string?",
    reason: "string?",
    status: "string",
  },
  setup_intent: {
    id: "string",
    client_secret: "string",
    customer: "string?",
    "last_setup_error.code": "string",
    "last_setup_error.decline_code": "string",
    status: "string",
  },
  subscription: {
    id: "string",
    created: "number",
    currency: "string",
    customer: "string",
    default_payment_method: "string?",
    latest_invoice: "object?",
    metadata: "object",
    pending_setup_intent: "object?",
    status: "string",
  },
};

const EXPANDED = "Stripe sends it only where `expand` asks for it";
const STANDARD_ACCOUNT =
  "the example is an account with its own dashboard, which hides these from a platform";
const OTHER_ERROR =
  "the example is another type of error: the SDK's types have the fields of a declined card";

/** Fields that Stripe sends and its examples lack. Fields below these are not compared. */
const NOT_IN_EXAMPLES: Readonly<Record<string, string>> = {
  "account.capabilities.card_issuing": "the example is an account without Issuing",
  "account.company": STANDARD_ACCOUNT,
  "account.individual": STANDARD_ACCOUNT,
  "ephemeral_key.secret": "Stripe sends it only when it creates the key",
  "event.account": "only events of connected accounts name one",
  "invoice.confirmation_secret": EXPANDED,
  "invoice.payments": EXPANDED,
  "issuing.card.cvc": EXPANDED,
  "issuing.card.number": EXPANDED,
  "payment_intent.last_payment_error.code": OTHER_ERROR,
  "payment_intent.last_payment_error.decline_code": OTHER_ERROR,
  "payment_intent.last_payment_error.message": OTHER_ERROR,
  "setup_intent.last_setup_error.code": OTHER_ERROR,
  "setup_intent.last_setup_error.decline_code": OTHER_ERROR,
};

/** Names with an underscore that the adapters read from something else than an object of the examples. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  // A discount of a payment request.
  "promotion_code",
  // The answer of OAuth, which is not in Stripe's description of its API.
  "stripe_user_id",
]);

describe.skipIf(!existsSync(DATA))("Stripe's examples of its objects", () => {
  let examples: Record<string, Json>;

  beforeAll(() => {
    examples = JSON.parse(readFileSync(DATA, "utf8")).resources;
  });

  test.each(Object.entries(READ))("have the fields of %s that the adapters read", (name, fields) => {
    const wrong = Object.entries(fields).flatMap(([field, kind]) => {
      const value = valueAt(examples[name], field);
      if (value === undefined && isException(`${name}.${field}`)) return [];
      if (value === null && kind.endsWith("?")) return [];
      return kindOf(value) === kind.replace("?", "") ? [] : [`${field}: ${kindOf(value)}, not ${kind}`];
    });
    expect(wrong).toEqual([]);
  });

  test("are compared with every name with an underscore that an adapter reads", () => {
    const compared = new Set(
      Object.values(READ).flatMap((fields) => Object.keys(fields).flatMap((field) => field.split("."))),
    );
    const others = [...namesRead()].filter((name) => !compared.has(name) && !READ_ELSEWHERE.has(name));
    expect(others).toEqual([]);
  });

  test("lack the exceptions", () => {
    const present = Object.keys(NOT_IN_EXAMPLES).filter((field) => {
      const name = Object.keys(examples).find((each) => field.startsWith(`${each}.`)) ?? "";
      return valueAt(examples[name], field.slice(name.length + 1)) !== undefined;
    });
    expect(present).toEqual([]);
  });

  test("have every field that the fake sends", async () => {
    const { sent, routes } = await collectSent();
    expect(Object.keys(STRIPE_ROUTES).filter((route) => !routes.has(route) && !isOAuth(route))).toEqual([]);
    expect([...new Set(sent.flatMap((object) => differencesOf(object, undefined, "")))]).toEqual([]);
  });

  test.each<[string, Json, string[]]>([
    ["an unknown field", { object: "coupon", half: true }, ["coupon.half: not in the example"]],
    ["another type", { object: "coupon", valid: "yes" }, ["coupon.valid: string, not boolean"]],
    ["an unknown object", { object: "voucher" }, ["voucher: no such object"]],
    [
      "an unknown field of an expanded object",
      { object: "payment_intent", latest_charge: { object: "charge", amount: 1, tip: 2 } },
      ["charge.tip: not in the example"],
    ],
    [
      "an id for an object that is always expanded",
      { object: "list", data: [{ object: "issuing.card", cardholder: "ich_1" }] },
      ["issuing.card.cardholder: string, not object"],
    ],
  ])("tell %s", (_, object, expected) => {
    expect(differencesOf(object, undefined, "")).toEqual(expected);
  });

  /** How an object of the fake differs from the example. `example` is the one of an object without a name of its own. */
  function differencesOf(object: Json, example: unknown, at: string): string[] {
    if (object.object === "list") return differencesOfItems(object.data, undefined, at);
    const name = object.deleted === true ? `deleted_${object.object}` : object.object;
    const [shape, place] = typeof name === "string" ? [examples[name], name] : [example, at];
    if (shape === undefined) return [`${place}: no such object`];
    if (!isObject(shape)) return [];
    return Object.entries(object).flatMap(([field, value]) =>
      differencesOfField(value, shape[field], `${place}.${field}`),
    );
  }

  function differencesOfField(value: unknown, expected: unknown, at: string): string[] {
    if (expected === undefined) return isException(at) ? [] : [`${at}: not in the example`];
    if (at.endsWith(".metadata") || value === null) return [];
    // Where an id is in the example, Stripe can expand the object.
    const isExpanded = isObject(value) && typeof value.object === "string";
    if (isExpanded && (expected === null || typeof expected === "string"))
      return differencesOf(value, null, at);
    if (expected === null) return [];
    if (kindOf(value) !== kindOf(expected)) return [`${at}: ${kindOf(value)}, not ${kindOf(expected)}`];
    if (Array.isArray(expected)) return differencesOfItems(value, expected[0], at);
    return isObject(value) ? differencesOf(value, expected, at) : [];
  }

  function differencesOfItems(items: unknown, example: unknown, at: string): string[] {
    if (!Array.isArray(items)) return [`${at}: no array`];
    return items.flatMap((item) => (isObject(item) ? differencesOf(item, example ?? null, at) : []));
  }
});

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

function valueAt(object: unknown, field: string): unknown {
  return field
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), object);
}

function isException(field: string): boolean {
  return Object.keys(NOT_IN_EXAMPLES).some((each) => field === each || field.startsWith(`${each}.`));
}

function isOAuth(route: string): boolean {
  return route.includes(" /oauth/");
}

/** The names with an underscore that the adapters read from objects: `a.some_name` and `{ some_name } = a`. */
function namesRead(): Set<string> {
  const names = new Set<string>();
  for (const file of ADAPTERS.flatMap(sourcePaths)) {
    visit(parse(file), (node) => {
      const name = ts.isPropertyAccessExpression(node)
        ? node.name
        : ts.isBindingElement(node)
          ? (node.propertyName ?? node.name)
          : undefined;
      if (name !== undefined && ts.isIdentifier(name) && /^[a-z]+_[a-z\d_]+$/.test(name.text))
        names.add(name.text);
    });
  }
  return names;
}

/** Calls every route of the fake, and returns the objects of its responses and its events. */
async function collectSent(): Promise<{ sent: Json[]; routes: Set<string> }> {
  const fake = await startFakeStripe();
  const issuer = await startReceiver((response) => {
    response.writeHead(200, { "stripe-version": "1" }).end(JSON.stringify({ approved: true }));
  });
  const sent: Json[] = [];
  const routes = new Set<string>();
  fake.issuingUrl = issuer.url;
  fake.books.tell = async (account, type, object) => {
    sent.push(copyOf(eventOf(account, type, object)));
  };
  seedFakeStripe(fake.books, "acct_shop");
  const call: Call = (route, fields = {}, { id = "", account = "acct_shop", bearer = "" } = {}) => {
    routes.add(route);
    const [method = "", name = ""] = route.split(" ");
    const form = new URLSearchParams(fields);
    const path = name.replace(":id", id);
    const object = copyOf(answerStripe(fake.books, { method, path, account, bearer, form, query: form }));
    sent.push(object);
    return object;
  };
  try {
    readMerchant(call);
    await takePayment(fake, call);
    await takeSubscriptions(fake, call);
    await issueCard(fake, call);
  } finally {
    await issuer.close();
    await fake.close();
  }
  return { sent: [...sent, ...issuer.received.map(({ body }) => JSON.parse(body))], routes };
}

type Call = (
  route: string,
  fields?: Record<string, string>,
  at?: { id?: string; account?: string; bearer?: string },
) => Json;

function copyOf(object: unknown): Json {
  return JSON.parse(JSON.stringify(object));
}

function readMerchant(call: Call): void {
  call("GET /v1/accounts/:id", {}, { id: "acct_shop" });
  call("GET /v1/country_specs/:id", {}, { id: "US" });
  call("GET /v1/prices/:id", {}, { id: "price_monthly" });
  call("GET /v1/coupons/:id", {}, { id: "half" });
  call("POST /v1/payment_method_domains", { domain_name: "pay.example.com" });
  for (const id of ["cus_ada", "cus_deleted"]) call("GET /v1/customers/:id", {}, { id });
  // The fake has no promotion codes.
  expect(() => call("GET /v1/promotion_codes/:id", {}, { id: "promo" })).toThrow("resource_missing");
}

async function takePayment({ books }: FakeStripe, call: Call): Promise<void> {
  const fields = { amount: "4200", receipt_email: "ada@example.com", "metadata[order]": "1" };
  const { id, client_secret } = call("POST /v1/payment_intents", fields);
  await expect(confirmAtStripe(books, String(client_secret), "declined")).rejects.toThrow("declined");
  await confirmAtStripe(books, String(client_secret), "needs_step");
  await confirmAtStripe(books, String(client_secret), "succeeds");
  const paid = call("GET /v1/payment_intents/:id", {}, { id: String(id) });
  call("GET /v1/charges/:id", {}, { id: String(valueAt(paid, "latest_charge.id")) });
  await refundAtStripe(books, String(id), { reason: "requested_by_customer" });
  const dispute = await disputeAtStripe(books, String(id));
  await changeDispute(books, dispute, { status: "lost" });
  for (const route of ["GET /v1/refunds", "GET /v1/disputes"]) call(route, { payment_intent: String(id) });
  call("GET /v1/payment_intents");
  const other = call("POST /v1/payment_intents", { amount: "100" });
  call("POST /v1/payment_intents/:id/cancel", {}, { id: String(other.id) });
}

async function takeSubscriptions({ books }: FakeStripe, call: Call): Promise<void> {
  const customer = String(call("POST /v1/customers", { email: "ada@example.com" }).id);
  const fields = { customer, "items[0][price]": "price_monthly" };
  const paid = call("POST /v1/subscriptions", fields);
  const secret = String(valueAt(paid, "latest_invoice.confirmation_secret.client_secret"));
  await expect(confirmAtStripe(books, secret, "declined")).rejects.toThrow("declined");
  await confirmAtStripe(books, secret, "needs_step");
  await confirmAtStripe(books, secret, "succeeds");
  call("GET /v1/subscriptions/:id", {}, { id: String(paid.id) });
  call("GET /v1/subscriptions", { customer });
  call("DELETE /v1/subscriptions/:id", {}, { id: String(paid.id) });
  const unpaid = call("POST /v1/subscriptions", fields);
  call("POST /v1/invoices/:id/void", {}, { id: String(valueAt(unpaid, "latest_invoice.id")) });

  const trial = { ...fields, trial_end: "2000000000" };
  const started = call("POST /v1/subscriptions", trial);
  await confirmAtStripe(books, String(valueAt(started, "pending_setup_intent.client_secret")), "succeeds");
  call("GET /v1/setup_intents", { customer });
  const stopped = call("POST /v1/subscriptions", trial);
  call("POST /v1/setup_intents/:id/cancel", {}, { id: String(valueAt(stopped, "pending_setup_intent.id")) });
}

async function issueCard(fake: FakeStripe, call: Call): Promise<void> {
  const asked = {
    "capabilities[card_issuing][requested]": "true",
    "capabilities[transfers][requested]": "true",
  };
  const account = String(
    call("POST /v1/accounts", { ...asked, "controller[stripe_dashboard][type]": "none" }).id,
  );
  const page = "https://trunkline.example.com/wallet";
  call("POST /v1/account_links", { account, return_url: page, refresh_url: page });
  await completeSetup(fake.books, account, "active");
  call("GET /v1/accounts/:id", {}, { id: account });
  const address = { line1: "1 Harbor Street", city: "Portland", country: "US", postal_code: "97201" };
  const billing = Object.entries(address).map(([part, value]) => [`billing[address][${part}]`, value]);
  const holder = call(
    "POST /v1/issuing/cardholders",
    { name: "Ada", ...Object.fromEntries(billing) },
    { account },
  );
  const card = call(
    "POST /v1/issuing/cards",
    {
      cardholder: String(holder.id),
      currency: "usd",
      type: "virtual",
      status: "active",
      "spending_controls[spending_limits][0][amount]": "4200",
      "lifecycle_controls[cancel_after][payment_count]": "1",
    },
    { account },
  );
  const id = String(card.id);
  call("GET /v1/issuing/cards", { cardholder: String(holder.id) }, { account });
  const key = call("POST /v1/ephemeral_keys", { issuing_card: id }, { account });
  const bearer = String(key.secret);
  const shown = ["number", "cvc"].map((name) =>
    call("GET /v1/issuing/cards/:id", { "expand[]": name }, { id, account, bearer }),
  );
  const [number, cvc] = [String(shown[0]?.number), String(shown[1]?.cvc)];
  const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
  expect(bought.approved).toBe(true);
  expect(bought.card.status).toBe("canceled");
  await captureAtMerchant(fake, bought);
  await reverseAtMerchant(fake, bought);
  call("GET /v1/issuing/authorizations", { card: id }, { account });
  call("DELETE /v1/ephemeral_keys/:id", {}, { id: String(key.id), account });
  const spare = { cardholder: String(holder.id), currency: "usd", type: "virtual", status: "active" };
  const closed = call("POST /v1/issuing/cards", spare, { account });
  call("POST /v1/issuing/cards/:id", { status: "canceled" }, { id: String(closed.id), account });
}
