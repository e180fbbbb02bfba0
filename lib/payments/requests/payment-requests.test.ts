import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { rowOf, sessionOf } from "@/lib/testing/payments/payment-requests";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

function create(body: object, headers: Record<string, string> = {}) {
  return callApi("POST /v3/payment_requests", { token: account.token, body, headers });
}

describe("creating", () => {
  test("a payment is requested: 201 with a checkout link of the account's slug, good for a day", async () => {
    const { status, body } = await create({
      amount: 1250,
      currency: "USD",
      description: "Dinner for two",
      metadata: { order: "1042" },
      image_url: "https://example.com/table.jpg",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: "payment_request",
      status: "requested",
      mode: "payment",
      amount: 1250,
      currency: "usd",
      description: "Dinner for two",
      metadata: { order: "1042" },
      image_url: "https://example.com/table.jpg",
      rail: null,
    });
    expect(body.checkout_url).toMatch(
      /^http:\/\/trunkline\.test\/pay\/partner-\d+\?session=tlpay_[\w-]{43}$/,
    );
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(86_400_000);
    expect(body).not.toHaveProperty("paid_at");
    expect(body).not.toHaveProperty("primary");
  });

  test("a subscription has its price's amount times the quantity, and a customer from the start", async () => {
    const { status, body } = await create({
      mode: "subscription",
      price_id: "price_test_quarterly",
      quantity: 2,
      discount: { coupon: "coupon_test_half", label: "Half off" },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      mode: "subscription",
      amount: 4800,
      currency: "usd",
      interval: "month",
      interval_count: 3,
      quantity: 2,
      price_id: "price_test_quarterly",
      discount: { coupon: "coupon_test_half", label: "Half off" },
      primary: { customer_id: expect.stringMatching(/^cus_test_/) },
    });
  });

  test("a trial ends when it was asked to, and the link not after it", async () => {
    const days = await create({
      mode: "subscription",
      price_id: "price_test_monthly",
      trial_period_days: 14,
    });
    expect(Date.parse(days.body.trial_end) - Date.parse(days.body.created_at)).toBe(14 * 86_400_000);
    const trial_end = new Date(Date.now() + 3_600_000).toISOString();
    const soon = await create({ mode: "subscription", price_id: "price_test_monthly", trial_end });
    expect(soon.body).toMatchObject({ trial_end, expires_at: trial_end });
  });

  test("the customer of an earlier subscription may be passed, another account's may not", async () => {
    const subscription = { mode: "subscription", price_id: "price_test_monthly" };
    const { body } = await create(subscription);
    const { customer_id } = body.primary;
    expect((await create({ amount: 500, currency: "usd", customer_id })).body.primary).toEqual({
      customer_id,
    });
    const other = await createTestAccount({ type: "sandbox" });
    const refused = await callApi("POST /v3/payment_requests", {
      token: other.token,
      body: { amount: 500, currency: "usd", customer_id },
    });
    expect(refused.body.error.code).toBe(1005);
  });

  test("rail secondary takes the account's line and a payer", async () => {
    const body = {
      amount: 500,
      currency: "usd",
      rail: "secondary",
      from: account.line,
      payer_handle: "+15550001111",
    };
    const { id, rail, secondary } = (await create(body)).body;
    expect([rail, secondary]).toEqual([null, { payment_request_id: expect.any(String) }]);
    const read = await callApi(`GET /v3/payment_requests/${id}`, { token: account.token });
    expect(read.body.secondary).toEqual(secondary);
    const canceled = await callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
    expect(canceled.body).toMatchObject({ status: "canceled", secondary });
    expect((await create({ ...body, from: "+15559999999" })).body.error.code).toBe(2006);
  });

  test("the checkout fields that public programs send are accepted and returned as sent", async () => {
    const details = {
      success_url: "https://shop.example/thanks",
      return_url: "https://shop.example/orders/7",
      cancel_url: "http://localhost:3000/cart",
      receipt_email: "ada@example.com",
      items: [
        { name: "Soup", quantity: 2, amount: 450 },
        { name: "Bread", description: "Sourdough" },
      ],
      locale: "fr-CA",
    };
    const { status, body } = await create({ amount: 500, currency: "usd", ...details });
    expect([status, body]).toEqual([201, expect.objectContaining(details)]);
    const read = await callApi(`GET /v3/payment_requests/${body.id}`, { token: account.token });
    expect(read.body).toEqual(body);
    const plain = await create({ amount: 500, currency: "usd", items: ["Soup"] });
    expect(plain.body.items).toEqual([{ name: "Soup" }]);
  });

  test("a GET returns each field that a POST takes", async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const payment = {
      mode: "payment",
      amount: 500,
      currency: "usd",
      description: "Dinner for two",
      image_url: "https://example.com/table.jpg",
      metadata: { order: "1042" },
      expires_at: inAnHour,
      success_url: "https://shop.example/thanks",
      return_url: "https://shop.example/orders/7",
      cancel_url: "https://shop.example/cart",
      receipt_email: "ada@example.com",
      items: [{ name: "Soup", description: "Leek", quantity: 2, amount: 250 }],
      locale: "fr-CA",
    };
    const subscription = {
      mode: "subscription",
      price_id: "price_test_quarterly",
      quantity: 2,
      trial_end: inAnHour,
      discount: { coupon: "coupon_test_half", label: "Half off" },
    };
    const returnedElsewhere = ["customer_id", "from", "payer_handle", "rail", "trial_period_days"];
    const tried = new Set([...Object.keys(payment), ...Object.keys(subscription), ...returnedElsewhere]);
    const toDo = "give a new field a value above: in `payment` or `subscription`";
    expect([...tried].sort(), toDo).toEqual(Object.keys(PaymentRequestBody.shape).sort());

    for (const sent of [payment, subscription]) {
      const { body } = await create(sent);
      const read = await callApi(`GET /v3/payment_requests/${body.id}`, { token: account.token });
      expect(read.body).toMatchObject(sent);
    }
  });

  test("the rails' names of public programs are taken, and answered as ours", async () => {
    expect((await create({ amount: 500, currency: "usd", rail: "stripe" })).status).toBe(201);
    const natural = { rail: "natural", from: account.line, payer_handle: "+15550001111" };
    const { status, body } = await create({ amount: 500, currency: "usd", ...natural });
    expect([status, body.secondary]).toEqual([201, { payment_request_id: expect.any(String) }]);
    expect((await create({ amount: 500, currency: "usd", rail: "natural" })).body.error.code).toBe(1001);
  });

  const payment = { amount: 500, currency: "usd" };
  const subscription = { mode: "subscription", price_id: "price_test_monthly" };
  const past = "2020-01-01T00:00:00Z";
  const in1h = new Date(Date.now() + 3_600_000).toISOString();
  const in2h = new Date(Date.now() + 7_200_000).toISOString();
  test.each<[string, object, number]>([
    ["no amount", { currency: "usd" }, 1001],
    ["no currency", { amount: 500 }, 1001],
    ["no price", { mode: "subscription" }, 1001],
    ["no payer on rail secondary", { ...payment, rail: "secondary", from: "+15550001111" }, 1001],
    ["less than 50 in usd", { amount: 49, currency: "usd" }, 1005],
    ["half a cent", { amount: 99.5, currency: "usd" }, 1005],
    ["an unknown currency", { amount: 500, currency: "zzz" }, 1005],
    ["a return over http", { ...payment, return_url: "http://shop.example/x" }, 1005],
    ["a script for a return", { ...payment, success_url: "javascript:alert(1)" }, 1005],
    ["an invalid receipt email", { ...payment, receipt_email: "ada" }, 1005],
    ["an item without a name", { ...payment, items: [{ quantity: 2 }] }, 1005],
    ["a locale that is none", { ...payment, locale: "fr_CA; x" }, 1005],
    ["an unknown rail", { ...payment, rail: "tertiary" }, 1005],
    ["an unknown key", { ...payment, receipt: true }, 1005],
    ["an unknown key within", { ...subscription, discount: { coupon: "coupon_test_half", x: 1 } }, 1005],
    ["an amount of a subscription", { ...subscription, amount: 500 }, 1005],
    ["a trial of a payment", { ...payment, trial_period_days: 3 }, 1005],
    ["two trials", { ...subscription, trial_period_days: 3, trial_end: in1h }, 1005],
    ["a trial that is over", { ...subscription, trial_end: past }, 1005],
    ["a link that outlives the trial", { ...subscription, trial_end: in1h, expires_at: in2h }, 1005],
    ["two discounts", { ...subscription, discount: { coupon: "a", promotion_code: "b" } }, 1005],
    ["an unknown discount", { ...subscription, discount: { coupon: "nothing" } }, 1005],
    ["an inactive price", { mode: "subscription", price_id: "price_test_inactive" }, 1005],
    ["an unknown price", { mode: "subscription", price_id: "price_nothing" }, 1005],
    ["an unknown customer", { ...payment, customer_id: "cus_nobody" }, 1005],
    ["a reserved metadata key", { ...payment, metadata: { trunkline_x: "1" } }, 1005],
    [
      "50 metadata keys",
      { ...payment, metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, "v"])) },
      1005,
    ],
    ["a link that has expired", { ...payment, expires_at: past }, 1005],
    ["an image over http", { ...payment, image_url: "http://example.com/a.png" }, 1005],
    ["a payer who is no number", { ...payment, payer_handle: "ada" }, 1002],
  ])("%s is refused", async (_, body, code) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });

  test("a production account without a processor is 403/2011", async () => {
    const production = await createTestAccount({ type: "production" });
    const { status, body } = await callApi("POST /v3/payment_requests", {
      token: production.token,
      body: payment,
    });
    expect([status, body.error.code]).toEqual([403, 2011]);
  });

  test("a hundred creates with one Idempotency-Key make one request, whatever their bodies", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        callApi("POST /v3/payment_requests", {
          token: own.token,
          body: index % 2 === 0 ? { amount: 500 + index, currency: "usd" } : subscription,
          headers: { "idempotency-key": "order-7" },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { body } = await callApi("GET /v3/payment_requests", { token: own.token });
    expect(body.data).toHaveLength(1);
  });

  test("a metadata key __proto__ is refused, and constructor is kept", async () => {
    const withKey = (key: string) =>
      callApi("POST /v3/payment_requests", {
        token: account.token,
        body: `{"amount":500,"currency":"usd","metadata":{${key}:"x"}}`,
      });
    for (const key of ['"__proto__"', '"\\u005f_proto__"']) {
      const { status, body } = await withKey(key);
      expect([status, body.error.code, body.error.message]).toEqual([
        400,
        1005,
        expect.stringContaining("__proto__"),
      ]);
    }
    const { body } = await withKey('"constructor"');
    expect(body.metadata).toEqual({ constructor: "x" });
    expect(
      (await callApi(`GET /v3/payment_requests/${body.id}`, { token: account.token })).body.metadata,
    ).toEqual({
      constructor: "x",
    });
  });

  test("the session of a link is in no table", async () => {
    const { body } = await create(payment);
    expect(await tablesWith(sessionOf(await rowOf(account, body.id)))).toEqual([]);
  });
});

describe("reading", () => {
  test("the list is newest first, in pages, by status, in one statement each", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    const ids: string[] = [];
    for (const amount of [100, 200, 300]) {
      const { body } = await callApi("POST /v3/payment_requests", {
        token: own.token,
        body: { amount, currency: "usd" },
      });
      ids.unshift(body.id);
    }
    await callApi(`POST /v3/payment_requests/${ids[0]}/cancel`, { token: own.token });
    const list = async (query: string) =>
      (await callApi(`GET /v3/payment_requests?${query}`, { token: own.token })).body;

    const first = await list("limit=2");
    expect(first).toMatchObject({ object: "list", has_more: true });
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(await list("limit=2&offset=2")).toMatchObject({ has_more: false, data: [{ id: ids[2] }] });
    expect((await list("status=canceled")).data).toMatchObject([{ id: ids[0] }]);
    expect((await list("status=authorized")).data).toEqual([]);
    // The other statement looks up the token.
    expect(await countStatements(() => list("status=requested"))).toBe(2);
  });

  test.each(["limit=0", "limit=101", "offset=-1", "status=paid"])("?%s is 400/1005", async (query) => {
    const { status, body } = await callApi(`GET /v3/payment_requests?${query}`, { token: account.token });
    expect([status, body.error.code]).toEqual([400, 1005]);
  });

  test("the link is read again as it was given", async () => {
    const { body } = await create({ amount: 500, currency: "usd" });
    const read = await callApi(`GET /v3/payment_requests/${body.id}`, { token: account.token });
    expect(read.body).toEqual(body);
  });
});
