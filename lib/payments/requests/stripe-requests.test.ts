import "@/lib/testing/use-test-database";

import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  endConnection,
  finishConnection,
  startConnection,
} from "@/lib/payments/processors/connect-processor";
import { expirePaymentRequests } from "@/lib/payments/requests/expire-payment-requests";
import { getPaymentRequestView } from "@/lib/payments/requests/get-payment-request-view";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { callApi } from "@/lib/testing/call-api";
import { captureLog } from "@/lib/testing/capture-log";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { advanceClock } from "@/lib/testing/factories";
import { visitPage } from "@/lib/testing/payments/payer";
import {
  openedRequest,
  paymentEvents,
  requestPayment,
  rowOf,
  sessionOf,
} from "@/lib/testing/payments/payment-requests";
import { connectFakeStripe, seedFakeStripe, setStripeMode } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, signedEvent, signedText, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { confirmAtStripe } from "@/lib/testing/stripe/fake-stripe-payer";
import type { FakeSubscription } from "@/lib/testing/stripe/fake-stripe-state";
import { disputeAtStripe } from "@/lib/testing/stripe/reverse-at-stripe";

const logged = captureLog();
const SHOP = "acct_shop";
let fake: FakeStripe;
let account: TestAccount;

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  seedFakeStripe(fake.books, SHOP);
});

afterAll(() => fake.close());

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  await connect(account);
});

async function stateFor(of: TestAccount): Promise<string> {
  const { url } = await startConnection(of.context());
  return new URL(url).searchParams.get("state") ?? "";
}

async function connect(of: TestAccount, state?: string) {
  const query = { code: `code_${SHOP}`, state: state ?? (await stateFor(of)) };
  return finishConnection(of.context(), { query });
}

function create(body: object, token = account.token) {
  return callApi("POST /v3/payment_requests", { token, body });
}

function cancel(id: string) {
  return callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
}

function webhook(type: string, object: object, id = crypto.randomUUID()) {
  const { body, headers } = signedEvent({ id, object: "event", account: SHOP, type, data: { object } });
  return callApi("POST /inbound/stripe", { body, headers });
}

function secretOf(paymentIntentId: string | null): string {
  return fake.books.intents.get(`${SHOP}/${paymentIntentId}`)?.client_secret ?? "";
}

const payment = { amount: 1250, currency: "usd" };

test("connecting leads to Stripe and back, only with the state this account was given, lately", async () => {
  const { url } = await startConnection(account.context());
  expect(url).toContain(`${fake.url}/oauth/authorize?client_id=ca_fake&`);
  expect(await connect(account)).toEqual({ processor: "stripe", merchant_id: SHOP, can_charge: true });

  const other = await createTestAccount({ type: "sandbox" });
  await expect(connect(other, await stateFor(account))).rejects.toThrow("start again");
  await expect(connect(other, "forged")).rejects.toThrow("start again");
  const late = await stateFor(other);
  advanceClock(31 * 60);
  await expect(connect(other, late)).rejects.toThrow("start again");
  const production = await createTestAccount({ type: "production" });
  await expect(connect(production)).rejects.toThrow("live");
});

test("a disconnected account has the sandbox again", async () => {
  await endConnection(account.context());
  const { body } = await create(payment);
  expect((await rowOf(account, body.id)).processor).toBe("sandbox");
});

test("a payment is paid by Stripe's word: its webhook comes twice and ends it once", async () => {
  const row = await openedRequest(account, { ...payment, metadata: { order: "7" } });
  const intent = fake.books.intents.get(`${SHOP}/${row.paymentIntentId}`);
  expect(intent?.metadata).toEqual({ order: "7", trunkline_payment_request: row.id });
  // The webhook is not trusted: nothing was paid yet.
  await webhook("payment_intent.succeeded", { id: row.paymentIntentId, object: "payment_intent" });
  expect((await rowOf(account, row.id)).status).toBe("requested");

  await confirmAtStripe(fake.books, secretOf(row.paymentIntentId), "succeeds");
  for (const id of ["evt_same", "evt_same", "evt_other"]) {
    expect((await webhook("payment_intent.succeeded", intent ?? {}, id)).status).toBe(200);
  }
  expect((await rowOf(account, row.id)).status).toBe("succeeded");
  const ends = (await paymentEvents(account)).filter(({ type }) => type === "payment.succeeded");
  expect(ends).toHaveLength(1);
});

describe("what a payer tried", () => {
  const stepsOf = async (id: string) => {
    const { timeline } = await getPaymentRequestView(account.context(), { params: { paymentRequestId: id } });
    return timeline.map(({ step, reason }) => (reason === null ? step : `${step}: ${reason}`));
  };

  // Sends each webhook twice concurrently.
  async function sendWebhookTwice(_: string, type: string, object: unknown) {
    const id = crypto.randomUUID();
    const answers = await Promise.all([webhook(type, Object(object), id), webhook(type, Object(object), id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }

  test.each([
    ["a payment", payment],
    ["a subscription", { mode: "subscription", price_id: "price_monthly" }],
  ])(
    "a second step and a decline of %s are on its timeline, each once, with Stripe's reason",
    async (_, body) => {
      const row = await openedRequest(account, body);
      const invoice = fake.books.subscriptions.get(`${SHOP}/${row.subscriptionId}`)?.latest_invoice;
      const secret = invoice?.confirmation_secret?.client_secret ?? secretOf(row.paymentIntentId);
      vi.spyOn(fake.books, "tell").mockImplementation(sendWebhookTwice);
      await confirmAtStripe(fake.books, secret, "needs_step");
      await expect(confirmAtStripe(fake.books, secret, "declined")).rejects.toThrow("declined");
      vi.restoreAllMocks();
      const steps = ["created", "opened", "challenged", "declined: insufficient_funds"];
      expect((await stepsOf(row.id)).sort()).toEqual(steps.sort());
      expect((await rowOf(account, row.id)).status).toBe("requested");

      await confirmAtStripe(fake.books, secret, "succeeds");
      advanceClock(120);
      await expirePaymentRequests(new AbortController().signal);
      expect((await stepsOf(row.id)).at(-1)).toBe("paid");
    },
  );

  test("a failed renewal is not on the timeline, nor are events after the end", async () => {
    const row = await openedRequest(account, { mode: "subscription", price_id: "price_monthly" });
    const invoice = fake.books.subscriptions.get(`${SHOP}/${row.subscriptionId}`)?.latest_invoice;
    const tell = async (type: string, object: object) =>
      expect((await webhook(type, object)).status).toBe(200);
    const renewal = { ...invoice, billing_reason: "subscription_cycle" };
    await tell("invoice.payment_failed", renewal);
    await tell("invoice.payment_action_required", renewal);
    expect(await stepsOf(row.id)).toEqual(["created", "opened"]);

    await confirmAtStripe(fake.books, invoice?.confirmation_secret?.client_secret ?? "", "succeeds");
    await tell("invoice.paid", { ...invoice });
    const { status, paymentIntentId } = await rowOf(account, row.id);
    expect(status).toBe("succeeded");
    await tell("invoice.payment_failed", { ...invoice });
    await tell("invoice.payment_action_required", { ...invoice });
    await tell("payment_intent.payment_failed", { id: paymentIntentId, last_payment_error: null });
    expect(await stepsOf(row.id)).toEqual(["created", "opened", "paid"]);
  });
});

test("a webhook that Stripe did not sign is 403 and changes nothing", async () => {
  const row = await openedRequest(account, payment);
  await confirmAtStripe(fake.books, secretOf(row.paymentIntentId), "succeeds");
  const forged = await callApi("POST /inbound/stripe", {
    body: { id: "evt_x", type: "payment_intent.succeeded" },
  });
  expect([forged.status, forged.body.error.code]).toEqual([403, 2005]);
  expect((await rowOf(account, row.id)).status).toBe("requested");
});

test("a payment whose webhook was lost is found by asking", async () => {
  const row = await openedRequest(account, payment);
  await confirmAtStripe(fake.books, secretOf(row.paymentIntentId), "succeeds");
  advanceClock(120);
  await expirePaymentRequests(new AbortController().signal);
  expect((await rowOf(account, row.id)).status).toBe("succeeded");
});

test.each([
  ["kwd", 1255, "use 1260"],
  ["bhd", 1, "use 10"],
  ["jod", 999, "use 1000"],
  ["omr", 15, "use 20"],
  ["tnd", 1001, "use 1000"],
  ["isk", 1250, "use 1300"],
  ["ugx", 50, "use 100"],
  ["jpy", 49, "at least 50 for jpy (¥50)"],
  ["eur", 49, "at least 50"],
  ["gbp", 29, "at least 30"],
  ["huf", 17_499, "at least 17500"],
  ["MXN", 999, "at least 1000"],
  ["usd", 100_000_000, "at most 99999999 for usd ($999,999.99)"],
])(
  "an amount that Stripe refuses for %s is refused when the request is created, with the rule",
  async (currency, amount, rule) => {
    const { status, body } = await create({ amount, currency });
    expect([status, body.error.code, body.error.message]).toEqual([400, 1005, expect.stringContaining(rule)]);
  },
);

test.each([
  ["kwd", 1250],
  ["isk", 1300],
  ["jpy", 50],
  ["gbp", 30],
  ["idr", 999_999_999_999],
])("%s %d is accepted", async (currency, amount) => {
  expect((await create({ amount, currency })).status).toBe(201);
});

test.each([
  ["a currency its country has not", { amount: 500, currency: "zzz" }, 400, 1005],
  ["a deleted customer", { ...payment, customer_id: "cus_deleted" }, 400, 1005],
  ["an unknown price", { mode: "subscription", price_id: "price_none" }, 400, 1005],
])("%s is refused", async (_, body, status, code) => {
  const answer = await create(body);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test.each([
  ["unreachable", 500, 3003],
  ["down", 504, 3005],
  ["slow", 504, 3005],
  ["garbage", 504, 3005],
  ["broken", 504, 3005],
  ["refusing", 500, 3004],
] as const)("a Stripe that is %s is %d/%d, and nothing is half done", async (mode, status, code) => {
  const row = await openedRequest(account, payment);
  setStripeMode(fake, mode);
  const created = await create({ ...payment, customer_id: "cus_ada" });
  const canceled = await cancel(row.id);
  setStripeMode(fake, "well");
  expect([created.status, created.body.error.code]).toEqual([status, code]);
  expect([canceled.status, canceled.body.error.code]).toEqual([status, code]);
  const { body } = await callApi("GET /v3/payment_requests", { token: account.token });
  expect(body.data).toMatchObject([{ id: row.id, status: "requested" }]);
  expect((await cancel(row.id)).body.status).toBe("canceled");
});

test("only an error that a retry can change says so", async () => {
  const messageDuring = async (mode: FakeStripe["mode"]) => {
    setStripeMode(fake, mode);
    const { body } = await create({ ...payment, customer_id: "cus_ada" });
    setStripeMode(fake, "well");
    return body.error.message as string;
  };
  expect(await messageDuring("unreachable")).toContain("retry in a few seconds");
  expect(await messageDuring("refusing")).not.toContain("retry in");
  expect(await messageDuring("broken")).toContain("the same Idempotency-Key");
});

test.each([
  ["before the payment was made", "breaksAt", { paymentIntentId: null }],
  ["after the payment was made", "breaksAfter", { paymentIntentId: null }],
  ["before the subscription was made", "breaksAt", { subscriptionId: null }],
  ["after the subscription was made", "breaksAfter", { subscriptionId: null }],
] as const)(
  "a checkout whose Stripe failed %s opens later the same day, with one payment",
  async (_, where, refs) => {
    const isPayment = "paymentIntentId" in refs;
    const row = await rowOf(
      account,
      (await create(isPayment ? payment : { mode: "subscription", price_id: "price_monthly" })).body.id,
    );
    fake[where] = isPayment ? "POST /v1/payment_intents" : "POST /v1/subscriptions";
    const during = await Promise.allSettled([openCheckout(row), openCheckout(row)]);
    // The object that Stripe created is found at once.
    expect(during.map(({ status }) => status)).toEqual(
      Array(2).fill(where === "breaksAt" ? "rejected" : "fulfilled"),
    );
    fake[where] = null;
    expect(await openCheckout(row)).toMatchObject({ kind: "stripe" });
    const made = [...(isPayment ? fake.books.intents : fake.books.subscriptions).values()].filter(
      ({ metadata }) => metadata.trunkline_payment_request === row.id,
    );
    expect(made).toHaveLength(1);
  },
);

test("a payment that Stripe refused once opens when the reason is gone", async () => {
  const row = await rowOf(account, (await create({ ...payment, customer_id: "cus_ada" })).body.id);
  fake.books.answers.set(`${SHOP}/payment:${row.id}`, {
    status: 400,
    body: { error: { type: "invalid_request_error", code: "account_closed", message: "no" } },
  });
  expect(await openCheckout(row)).toMatchObject({ kind: "stripe" });
});

test("the receipt's address is Stripe's to use: of a payment, and of a customer made for a subscription", async () => {
  const receipt_email = "ada@example.com";
  const opened = await openedRequest(account, { ...payment, receipt_email });
  expect(fake.books.intents.get(`${SHOP}/${opened.paymentIntentId}`)?.receipt_email).toBe(receipt_email);

  const [price] = [...fake.books.prices.values()];
  const monthly = await create({ mode: "subscription", price_id: price?.id, receipt_email });
  const customer = fake.books.customers.get(`${SHOP}/${monthly.body.primary.customer_id}`);
  expect(customer?.email).toBe(receipt_email);
});

test("the secondary rail is not Stripe's: 403/2011", async () => {
  const { status, body } = await create({
    ...payment,
    rail: "secondary",
    from: account.line,
    payer_handle: "+15550001112",
  });
  expect([status, body.error.code]).toEqual([403, 2011]);
});

test("a canceled subscription is canceled at Stripe; one that was paid meanwhile is paid", async () => {
  const subscription = { mode: "subscription", price_id: "price_monthly" };
  const row = await openedRequest(account, subscription);
  expect(row.customerId).toMatch(/^cus_/);
  expect((await cancel(row.id)).body.status).toBe("canceled");
  expect(fake.books.subscriptions.get(`${SHOP}/${row.subscriptionId}`)?.status).not.toBe("active");

  for (let round = 0; round < 10; round++) {
    const open = await openedRequest(account, subscription);
    const stored = fake.books.subscriptions.get(`${SHOP}/${open.subscriptionId}`);
    const secret = stored?.latest_invoice.confirmation_secret?.client_secret ?? "";
    await Promise.all([
      cancel(open.id),
      confirmAtStripe(fake.books, secret, "succeeds").catch(() => undefined),
    ]);
    const { status } = await rowOf(account, open.id);
    expect([status, stored?.latest_invoice.status]).toEqual(
      status === "succeeded" ? ["succeeded", "paid"] : ["canceled", "void"],
    );
  }
});

describe("a subscription that dies at Stripe of age", () => {
  const subscription = { mode: "subscription", price_id: "price_monthly" };
  const runSchedule = () => expirePaymentRequests(new AbortController().signal);
  const endsOf = async () =>
    (await paymentEvents(account)).map(({ type }) => type).filter((type) => /^payment\.\w+$/.test(type));

  async function opened() {
    const row = await openedRequest(account, subscription);
    const stored = fake.books.subscriptions.get(`${SHOP}/${row.subscriptionId}`);
    if (stored === undefined) throw new Error("nothing was opened");
    return { row, stored };
  }

  /** Expires a subscription as Stripe does 23 hours after its creation. */
  async function expireSubscription(stored: FakeSubscription) {
    advanceClock(23 * 3600);
    stored.status = "incomplete_expired";
    stored.latest_invoice.status = "void";
    await webhook("customer.subscription.updated", stored);
    await runSchedule();
  }

  test("leaves its request open, and opened again it is made anew and paid", async () => {
    const { row, stored } = await opened();
    await expireSubscription(stored);
    expect((await rowOf(account, row.id)).status).toBe("requested");

    await openCheckout(await rowOf(account, row.id));
    const { subscriptionId } = await rowOf(account, row.id);
    expect(subscriptionId).not.toBe(row.subscriptionId);
    const invoice = fake.books.subscriptions.get(`${SHOP}/${subscriptionId}`)?.latest_invoice;
    await confirmAtStripe(fake.books, invoice?.confirmation_secret?.client_secret ?? "", "succeeds");
    await webhook("invoice.paid", invoice ?? {});
    expect((await rowOf(account, row.id)).status).toBe("succeeded");
    expect(await endsOf()).toEqual(["payment.succeeded"]);
  });

  test("lets its request expire at its time, or be canceled before", async () => {
    const { row, stored } = await opened();
    await expireSubscription(stored);
    advanceClock(2 * 3600);
    await runSchedule();
    expect((await rowOf(account, row.id)).status).toBe("expired");

    const other = await opened();
    await expireSubscription(other.stored);
    expect((await cancel(other.row.id)).body.status).toBe("canceled");
    expect(await endsOf()).toEqual(["payment.expired", "payment.canceled"]);
  });
});

describe("a signed webhook", () => {
  const post = (text: string) =>
    callApi("POST /inbound/stripe", { body: text, headers: signedText(text).headers });
  const event = (more: object) =>
    JSON.stringify({
      id: "evt_odd",
      object: "event",
      account: SHOP,
      type: "invoice.paid",
      data: { object: {} },
      ...more,
    });

  test.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "7"],
    ["no JSON", "{"],
    ["an object without fields", "{}"],
    ["an id with U+0000", event({ id: "evt_\u0000" })],
    ["an account with U+0000", event({ account: "acct_\u0000", type: "account.updated" })],
    [
      "an object's id with U+0000",
      event({ type: "payment_intent.succeeded", data: { object: { id: "pi_\u0000" } } }),
    ],
    ["an id that is too long", event({ id: "e".repeat(10_000) })],
    ["an account that is no text", event({ account: 7, type: "account.updated" })],
    ["a payment without an id", event({ type: "payment_intent.succeeded" })],
    [
      "a payment whose id is an object",
      event({ type: "payment_intent.canceled", data: { object: { id: {} } } }),
    ],
    ["a failed payment without an error", event({ type: "payment_intent.payment_failed" })],
    ["a null object", event({ data: { object: null } })],
    ["a subscription without an id", event({ type: "customer.subscription.updated" })],
  ])("that is %s is 400", async (_, text) => {
    expect((await post(text)).status).toBe(400);
  });

  test.each([
    ["an invoice without a subscription", event({ id: "evt_1" })],
    ["an unknown type", event({ id: "evt_2", type: "customer.created" })],
    [
      "an unknown payment",
      event({ id: "evt_3", type: "payment_intent.canceled", data: { object: { id: "pi_none" } } }),
    ],
    [
      "a refund of an unknown charge",
      event({
        id: "evt_4",
        type: "refund.created",
        data: { object: { id: "re_1", object: "refund", charge: "ch_none" } },
      }),
    ],
    [
      "a dispute that names nothing",
      event({
        id: "evt_5",
        type: "charge.dispute.created",
        data: { object: { id: "dp_1", object: "dispute" } },
      }),
    ],
    [
      "a setup without a customer",
      event({
        id: "evt_6",
        type: "setup_intent.setup_failed",
        data: { object: { id: "seti_1", last_setup_error: null } },
      }),
    ],
  ])("of %s is 200", async (_, text) => {
    expect((await post(text)).status).toBe(200);
  });

  test("of an older API version is handled, and flagged once", async () => {
    const lines = logged.length;
    for (const id of ["evt_old_1", "evt_old_2"])
      expect((await post(event({ id, api_version: "2024-06-20" }))).status).toBe(200);
    expect((await post(event({ id: "evt_new", api_version: Stripe.API_VERSION }))).status).toBe(200);
    const flags = logged.slice(lines).filter((line) => line.includes("another API version"));
    expect(flags).toEqual([expect.stringContaining("2024-06-20")]);
  });

  test.each(["charge.dispute.created", "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated"])(
    "%s without a payment intent is followed by its charge",
    async (type) => {
      const row = await openedRequest(account, payment);
      await confirmAtStripe(fake.books, secretOf(row.paymentIntentId), "succeeds");
      await webhook("payment_intent.succeeded", { id: row.paymentIntentId, object: "payment_intent" });
      const dispute = await disputeAtStripe(fake.books, row.paymentIntentId ?? "");
      const charge = fake.books.intents.get(`${SHOP}/${row.paymentIntentId}`)?.latest_charge?.id;
      expect((await webhook(type, { id: dispute.id, object: "dispute", charge })).status).toBe(200);
      const shown = await getPaymentRequestView(account.context(), { params: { paymentRequestId: row.id } });
      expect(JSON.stringify(shown)).toContain(dispute.id);
    },
  );

  test("a failed setup of a trial is an attempt that was declined, and the trial stays open", async () => {
    const { body } = await create({ mode: "subscription", price_id: "price_monthly", trial_period_days: 7 });
    await openCheckout(await rowOf(account, body.id));
    const row = await rowOf(account, body.id);
    const stored = fake.books.subscriptions.get(`${SHOP}/${row.subscriptionId}`);
    const { id, customer } = stored?.pending_setup_intent ?? {};
    const last_setup_error = {
      type: "card_error",
      code: "card_declined",
      decline_code: "insufficient_funds",
    };
    await webhook("setup_intent.setup_failed", { id, object: "setup_intent", customer, last_setup_error });
    const shown = await getPaymentRequestView(account.context(), { params: { paymentRequestId: row.id } });
    expect(JSON.stringify(shown)).toContain("insufficient_funds");
    expect((await rowOf(account, row.id)).status).toBe("requested");
  });

  test("an invoice in the shape before API version 2025-03-31 pays its subscription", async () => {
    const { body } = await create({ mode: "subscription", price_id: "price_monthly" });
    await openCheckout(await rowOf(account, body.id));
    const row = await rowOf(account, body.id);
    const stored = fake.books.subscriptions.get(`${SHOP}/${row.subscriptionId}`);
    if (stored === undefined) throw new Error("no subscription");
    Object.assign(stored.latest_invoice, {
      status: "paid",
      amount_paid: 900,
      status_transitions: { paid_at: 1 },
    });
    stored.status = "active";
    await webhook("invoice.paid", {
      id: "in_1",
      object: "invoice",
      subscription: row.subscriptionId,
      payment_intent: "pi_1",
    });
    expect((await rowOf(account, row.id)).status).toBe("succeeded");
  });
});

test("the page lets Stripe's script in and nothing else; its secret is shown to the payer and kept nowhere", async () => {
  const { id, checkout_url } = await requestPayment(account, payment);
  const page = await visitPage(checkout_url);
  expect(page.headers.get("content-security-policy")).toMatch(/script-src 'self' https:\/\/js\.stripe\.com;/);
  const session = sessionOf(await rowOf(account, id));
  const [address] = checkout_url.split("?");
  const { text } = await visitPage(`${address}/open`, { form: { session } });
  const { field } = JSON.parse(text);
  expect(field).toMatchObject({
    kind: "stripe",
    intent: "payment",
    publishableKey: "pk_test_fake",
    merchantId: SHOP,
  });
  expect(field.clientSecret).toBe(secretOf((await rowOf(account, id)).paymentIntentId));
  expect(await tablesWith(field.clientSecret)).toEqual([]);
});

test("the button shows the discounted amount once Stripe has reported it, and names a trial", async () => {
  const subscription = { mode: "subscription", price_id: "price_monthly" };
  const openedPage = async (more: object) => {
    const { id, checkout_url } = await requestPayment(account, { ...subscription, ...more });
    const page = await visitPage(checkout_url);
    const session = sessionOf(await rowOf(account, id));
    const { text } = await visitPage(`${checkout_url.split("?")[0]}/open`, { form: { session } });
    return { page: page.text, ...JSON.parse(text) };
  };
  const half = await openedPage({ discount: { coupon: "half", label: "Half off" } });
  expect(half.page).toContain("Discount: <bdi>Half off</bdi>");
  expect(half.page).toContain(">Subscribe</button>");
  expect([half.field.amountMinor, half.label]).toEqual([450, "Pay $4.50"]);

  const trial = await openedPage({ trial_period_days: 7 });
  expect(trial.page).toContain(">Start free trial</button>");
  expect([trial.field.intent, trial.field.amountMinor, trial.label]).toEqual([
    "setup",
    0,
    "Start free trial",
  ]);
});
