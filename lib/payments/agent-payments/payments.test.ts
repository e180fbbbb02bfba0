import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { GET as customerRoute } from "@/app/api/agent-payments/connections/[handle]/route";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { sweepAgentPayments } from "@/lib/payments/agent-payments/sweep-agent-payments";
import { updateAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { setClock } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { callApi } from "@/lib/testing/call-api";
import { askForCode, connectCustomer, createCustomer, startSending } from "@/lib/testing/connect-customer";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { signInAs } from "@/lib/testing/sign-in-as";
import { createAuthenticator } from "@/lib/testing/software-authenticator";
import { approve, attachCard, makePasskey } from "@/lib/testing/use-wallet";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(async () => {
  setClock(null);
  await sql.query({ text: "delete from agent_pay_settings" });
});
afterAll(() => stopSending());

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });
const later = (minutes: number) => setClock({ offsetMs: minutes * 60_000, frozenAt: null });
const limit = (body: object) => updateAgentPaySettings(account.context(), { body });

function pay(handle: string, more: object = {}, key?: string) {
  const body = { amount_cents: 4200, currency: "usd", handle, ...more };
  const headers = key === undefined ? undefined : { "idempotency-key": key };
  return callApi("POST /v3/payments", { token: account.token, body, headers });
}

/** A customer whose first payment was approved, so that later ones need no approval. */
async function createPayer(card = "pays") {
  const handle = await connectCustomer(account);
  const authenticator = createAuthenticator();
  const first = await pay(handle, { amount_cents: 1 });
  await attachCard(first.body.attach_url, card);
  await makePasskey(first.body.attach_url, authenticator);
  const asked = await pay(handle, { amount_cents: 1 });
  await approve(asked.body.approval_url, authenticator);
  const ready = await pay(handle, { amount_cents: 1 });
  await call(`POST /v3/payments/${ready.body.id}/cancel`);
  return { handle, authenticator };
}

async function fetchCard(paymentId: string) {
  const { body } = await call(`GET /v3/payments/${paymentId}/credentials`);
  const { fetch_url, user_token } = body.handoff;
  const headers = { authorization: `Bearer ${user_token}` };
  return callApi(`GET ${new URL(fetch_url).pathname}`, { headers });
}

async function charge(paymentId: string, more: object = {}) {
  const { number, cvc } = (await fetchCard(paymentId)).body;
  const body = { number, cvc, amount_cents: 4200, currency: "usd", ...more };
  return (await callApi("POST /vault/charges", { body })).body;
}

async function eventsOf(paymentId: string): Promise<{ type: string; data: { status: string } }[]> {
  return sql.query({
    text: "select type, data from events where account_id = $1 and data->>'id' = $2 order by seq",
    values: [account.ref.id, paymentId],
  });
}

async function paymentsOf(handle: string): Promise<{ id: string; status: string }[]> {
  return sql.query({
    text: "select id, status from agent_payments where account_id = $1 and handle = $2 order by id",
    values: [account.ref.id, handle],
  });
}

describe("from the first call to the money", () => {
  test("each POST answers what is to be done next, until there is a card", async () => {
    const handle = await createCustomer(account);
    const first = await pay(handle, { description: "Dinner for two" });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      amount_cents: 4200,
      currency: "usd",
      description: "Dinner for two",
      handle,
      status: "needs_connection",
    });

    const { connectId, code } = await askForCode(account, handle);
    expect((await pay(handle)).body.status).toBe("connecting");

    await call(`POST /v3/payments/handles/${handle}/verify`, { code, connect_id: connectId });
    const attach = (await pay(handle)).body;
    expect(attach).toMatchObject({
      status: "awaiting_user_action",
      attach_url: expect.stringContaining("/wallet/"),
    });
    expect(attach.approval_url).toBeUndefined();

    const authenticator = createAuthenticator();
    expect(await attachCard(attach.attach_url)).toBe(303);
    expect((await makePasskey(attach.attach_url, authenticator)).body).toEqual({ registered: true });
    const asked = (await pay(handle)).body;
    expect(asked).toMatchObject({ status: "awaiting_user_action", approval_url: expect.any(String) });
    expect(asked.id).toBeUndefined();

    expect((await approve(asked.approval_url, authenticator)).body).toEqual({ status: "ready" });
    const ready = (await pay(handle)).body;
    expect(ready).toMatchObject({ id: expect.any(String), status: "ready", description: "Dinner for two" });
    expect(await paymentsOf(handle)).toEqual([{ id: ready.id, status: "ready" }]);

    expect(await charge(ready.id)).toEqual({ outcome: "captured", reason: null });
    expect((await call(`GET /v3/payments/${ready.id}`)).body.status).toBe("succeeded");
    expect(await eventsOf(ready.id)).toMatchObject([
      {
        type: "payment.authorized",
        data: { id: ready.id, status: "authorized", handle, amount_cents: 4200 },
      },
    ]);
  });

  test("later payments no longer need the customer, unless they are large", async () => {
    const { handle, authenticator } = await createPayer();
    expect((await pay(handle)).body.status).toBe("ready");
    const large = (await pay(handle, { amount_cents: 10_001 })).body;
    expect(large).toMatchObject({ status: "awaiting_user_action", approval_url: expect.any(String) });
    expect((await approve(large.approval_url, authenticator)).body.status).toBe("ready");
  });

  test("a decline ends the payment, with payment.declined", async () => {
    const { handle } = await createPayer("declines");
    const { id } = (await pay(handle)).body;
    expect(await charge(id)).toEqual({ outcome: "declined", reason: "do_not_honor" });
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("declined");
    expect(await eventsOf(id)).toMatchObject([{ type: "payment.declined", data: { status: "declined" } }]);
  });

  test("an authorization is captured later, and does not expire meanwhile", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    const { number, cvc } = (await fetchCard(id)).body;
    const body = { number, cvc, amount_cents: 4200, currency: "usd" };
    await callApi("POST /vault/charges", { body: { ...body, capture: false } });
    later(60);
    await sweepAgentPayments(AbortSignal.timeout(5000));
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("authorized");
    expect((await callApi("POST /vault/charges", { body })).body.outcome).toBe("captured");
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("succeeded");
  });
});

describe("events for the dashboard", () => {
  const movesOf = async (paymentId: string) => {
    const rows = await sql.query<{ status: string }>({
      text: `select data->>'status' as status from events
             where account_id = $1 and type = 'agent_payment.moved' and data->>'payment_id' = $2 order by seq`,
      values: [account.ref.id, paymentId],
    });
    return rows.map(({ status }) => status);
  };

  test("each move of a payment once, and what does not move nothing", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    await pay(handle);
    expect(await movesOf(id)).toEqual(["needs_connection", "ready"]);
    await charge(id);
    expect(await movesOf(id)).toEqual(["needs_connection", "ready", "authorized", "succeeded"]);
  });

  test("what was paid for a customer, by which consent and passkey", async () => {
    const { handle } = await createPayer();
    await charge((await pay(handle)).body.id);
    const viewer = await signInAs(account, "viewer");
    const { status, body } = await viewer.call(customerRoute, { params: { handle } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      handle,
      connections: [{ status: "connected", payments: 2 }],
      totals: [{ currency: "usd", count: 2, paid_count: 1, paid_text: "$42.00" }],
    });
    expect(body.passkey.last_used_at).not.toBeNull();

    const other = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
    const unknown = { handle, connections: [], passkey: null, totals: [] };
    expect((await other.call(customerRoute, { params: { handle } })).body).toEqual(unknown);
  });
});

describe("which payment a call means", () => {
  test("a merchant's bare host is meant as https", async () => {
    const handle = await createCustomer(account);
    await pay(handle, { merchant: { name: "DoorDash", url: "doordash.com" } });
    await pay(handle, { merchant: { name: "DoorDash", url: "https://doordash.com" } });
    const rows = await sql.query({
      text: "select merchant_url from agent_payments where account_id = $1 and handle = $2",
      values: [account.ref.id, handle],
    });
    expect(rows).toEqual([{ merchant_url: "https://doordash.com" }]);
    for (const url of ["doordash", "javascript:alert(1)", "mailto:a@doordash.com", "ftp://doordash.com"]) {
      const { status, body } = await pay(handle, { merchant: { url } });
      expect([url, status, body.error?.code]).toEqual([url, 400, 1005]);
    }
  });

  test("without a key the open one of the same handle, amount, currency and merchant, for 15 minutes", async () => {
    const handle = await createCustomer(account);
    await pay(handle);
    await pay(handle, { currency: "USD" });
    expect(await paymentsOf(handle)).toHaveLength(1);
    for (const other of [{ amount_cents: 4201 }, { currency: "eur" }, { merchant: { name: "Harbor" } }]) {
      await pay(handle, other);
    }
    expect(await paymentsOf(handle)).toHaveLength(4);
    later(15);
    expect((await pay(handle)).body.status).toBe("needs_connection");
    expect(await paymentsOf(handle)).toHaveLength(5);
  });

  test("with a key always the same, whatever else is said, ended or not", async () => {
    const { handle } = await createPayer();
    const first = (await pay(handle, {}, "order-1")).body;
    expect((await pay(handle, { amount_cents: 9 }, "order-1")).body).toEqual(first);
    expect((await pay(handle, {}, "order-2")).body.id).not.toBe(first.id);
    await call(`POST /v3/payments/${first.id}/cancel`);
    expect((await pay(handle, {}, "order-1")).body).toMatchObject({ id: first.id, status: "canceled" });
  });

  test("begun a hundred times at once it is one payment with one card, with a key and without", async () => {
    for (const key of ["order-at-once", undefined]) {
      const { handle } = await createPayer();
      const before = (await paymentsOf(handle)).length;
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => pay(handle, {}, key && `${key}-${handle}`)),
      );
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await paymentsOf(handle)).toHaveLength(before + 1);
      const cards = await sql.query({
        text: "select 1 from servicecard_cards where payment_id = $1",
        values: [answers[0]?.body.id],
      });
      expect(cards).toHaveLength(1);
    }
  });

  test.each([
    ["no amount", { amount_cents: undefined }, 1001],
    ["an amount of nothing", { amount_cents: 0 }, 1005],
    ["a fraction of a cent", { amount_cents: 1.5 }, 1005],
    ["an unknown currency", { currency: "xyz" }, 1005],
    ["a handle that is none", { handle: "ada" }, 1002],
    ["a merchant url that is none", { merchant: { url: "harbor" } }, 1005],
    ["metadata that is not text", { metadata: { a: 1 } }, 1005],
    [
      "more metadata than 49 keys",
      { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, ""])) },
      1005,
    ],
  ])("%s is refused", async (_, more, code) => {
    const { status, body } = await pay("+16665550100", more);
    expect([status, body.error.code]).toEqual([400, code]);
  });

  test("a production account has no provider yet: 403/2011", async () => {
    const production = await createTestAccount({ type: "production" });
    const body = { amount_cents: 1, currency: "usd", handle: "+16665550100" };
    const answer = await callApi("POST /v3/payments", { token: production.token, body });
    expect([answer.status, answer.body.error.code]).toEqual([403, 2011]);
  });
});

describe("the end of a payment", () => {
  test("canceled, its card is closed permanently; canceling again is 409/2015", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    const { handoff } = (await call(`GET /v3/payments/${id}/credentials`)).body;
    const { body } = await call(`POST /v3/payments/${id}/cancel`);
    expect(body).toMatchObject({ id, status: "canceled" });

    const headers = { authorization: `Bearer ${handoff.user_token}` };
    expect((await callApi(`GET ${new URL(handoff.fetch_url).pathname}`, { headers })).status).toBe(401);
    const again = await call(`POST /v3/payments/${id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 2015]);
    expect(again.headers.get("x-should-retry")).toBe("false");
  });

  test("idle for 15 minutes it expires, at the sweep or at the next look, and its card is closed", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    const other = (await pay(handle, { amount_cents: 77 })).body;
    later(14);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("ready");
    later(15);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("expired");
    await sweepAgentPayments(AbortSignal.timeout(5000));
    const cards = await sql.query({
      text: "select status from servicecard_cards where payment_id = any($1)",
      values: [[id, other.id]],
    });
    expect(cards).toEqual([{ status: "closed" }, { status: "closed" }]);
    expect((await call(`GET /v3/payments/${other.id}`)).body.status).toBe("expired");
  });

  test("credentials are for a ready payment: else 409/2015", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    await charge(id);
    const { status, body } = await call(`GET /v3/payments/${id}/credentials`);
    expect([status, body.error.code]).toEqual([409, 2015]);
  });

  test("a revoked customer's open cards are closed, and the next payment needs consent again", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    await call(`DELETE /v3/payments/handles/${handle}/connection`);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("canceled");
    expect((await pay(handle)).body.status).toBe("needs_connection");
  });

  test("a cancel while the card is being made leaves no card open", async () => {
    const { handle } = await createPayer();
    for (let round = 0; round < 10; round++) {
      const [, paid] = await Promise.all([
        pay(handle, {}, `race-${handle}-${round}`),
        (async () => {
          const open = (await paymentsOf(handle)).at(-1);
          return open === undefined ? null : call(`POST /v3/payments/${open.id}/cancel`);
        })(),
      ]);
      expect(paid).not.toBeUndefined();
    }
    await Promise.all((await paymentsOf(handle)).map(({ id }) => call(`POST /v3/payments/${id}/cancel`)));
    const open = await sql.query({
      text: `select c.card_ref from servicecard_cards c join agent_payments p on p.id = c.payment_id
             where p.handle = $1 and c.status = 'open'`,
      values: [handle],
    });
    expect(open).toEqual([]);
  });

  test("charged and canceled at once it ends one way, and the card agrees", async () => {
    for (let round = 0; round < 10; round++) {
      const { handle } = await createPayer();
      const { id } = (await pay(handle)).body;
      const { number, cvc } = (await fetchCard(id)).body;
      const body = { number, cvc, amount_cents: 4200, currency: "usd" };
      const [charged] = await Promise.all([
        callApi("POST /vault/charges", { body }),
        call(`POST /v3/payments/${id}/cancel`),
      ]);
      const { status } = (await call(`GET /v3/payments/${id}`)).body;
      expect(["succeeded", "canceled"]).toContain(status);
      expect(charged.body.outcome).toBe(status === "succeeded" ? "captured" : "declined");
    }
  });
});

describe("caps", () => {
  test("a currency with limits of its own has these and not those of the others", async () => {
    const jpy = { max_per_payment_cents: 9000, max_per_handle_day_cents: 10_000, approval_above_cents: 5000 };
    await limit({ max_per_payment_cents: 100, currency_limits: { jpy } });
    const { handle } = await createPayer();
    const payYen = (amount_cents: number) => pay(handle, { amount_cents, currency: "jpy" });

    expect((await pay(handle)).body.error.message).toContain("at most 100 ($1.00)");
    expect((await payYen(9001)).body.error.message).toContain("at most 9000 (¥9,000)");
    expect((await payYen(5001)).body.status).toBe("awaiting_user_action");
    expect((await payYen(5000)).body.status).toBe("ready");
    expect((await payYen(4999)).body.status).toBe("ready");
    const overTheDay = await payYen(2);
    expect([overTheDay.status, overTheDay.body.error.message]).toEqual([
      409,
      expect.stringContaining("¥10,000 per customer"),
    ]);
  });

  test("above the cap of one payment nothing is begun", async () => {
    await limit({ max_per_payment_cents: 4199 });
    const handle = await createCustomer(account);
    const { status, body } = await pay(handle);
    expect([status, body.error.code]).toEqual([400, 1005]);
    expect(await paymentsOf(handle)).toEqual([]);
  });

  test("only merchants on the list are paid; a url's host counts more than a name", async () => {
    await limit({ merchant_allow_list: ["harbor.example", "Corner Shop"] });
    const { handle } = await createPayerWithoutCaps();
    const outcome = async (merchant?: object) => (await pay(handle, { merchant })).body.status ?? "refused";
    expect(await outcome({ url: "https://shop.harbor.example/x" })).toBe("ready");
    expect(await outcome({ name: "corner shop" })).toBe("ready");
    expect(await outcome({ name: "Corner Shop", url: "https://evil.example" })).toBe("refused");
    expect(await outcome({ url: "https://notharbor.example" })).toBe("refused");
    expect(await outcome()).toBe("refused");
  });

  test("a handle's day is full at its cap, also when cards are asked for at once; tomorrow is another", async () => {
    const { handle } = await createPayer();
    await limit({ max_per_handle_day_cents: 10_000 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pay(handle, {}, `day-${handle}-${index}`)),
    );
    expect(answers.filter(({ body }) => body.status === "ready")).toHaveLength(2);
    const refused = answers.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.error.code]).toEqual([409, 2015]);
    later(24 * 60);
    expect((await pay(handle, {}, `day-${handle}-next`)).body.status).toBe("ready");
  });

  async function createPayerWithoutCaps() {
    const caps = await sql.query<{ merchant_allow_list: string[] }>({
      text: "delete from agent_pay_settings returning merchant_allow_list",
    });
    const payer = await createPayer();
    await limit({ merchant_allow_list: caps[0]?.merchant_allow_list });
    return payer;
  }
});

test("a card that was made just before this service ended is closed once its payment has ended", async () => {
  const { handle } = await createPayer();
  const { id } = (await pay(handle)).body;
  // As after a crash between the provider's answer and the row.
  await sql.query({
    text: `update agent_payments set card_ref = null, status = 'awaiting_user_action' where id = $1`,
    values: [id],
  });
  const cardOf = async () => {
    const [card] = await sql.query<{ status: string }>({
      text: "select status::text from servicecard_cards where payment_id = $1",
      values: [id],
    });
    return card?.status;
  };
  later(16);
  const sweep = () => sweepAgentPayments(new AbortController().signal);
  await sweep();
  expect(await cardOf()).toBe("closed");
  expect(await sweep()).toBe(0);
});

describe("a provider in trouble", () => {
  afterEach(() => Object.assign(servicecard, original));
  const original = { ...servicecard };

  test("is reported by its code, nothing is half done, and the next call continues", async () => {
    const { AdapterError } = await import("@/lib/adapters/adapter-error");
    const { handle } = await createPayer();
    for (const [kind, status, code] of [
      ["not_reachable", 500, 3003],
      ["rejected", 500, 3004],
      ["unknown_outcome", 504, 3005],
    ] as const) {
      Object.assign(servicecard, { mint: () => Promise.reject(new AdapterError(kind, "trouble")) });
      const { status: answered, body } = await pay(handle, {}, `trouble-${handle}`);
      expect([answered, body.error.code]).toEqual([status, code]);
      expect((await paymentsOf(handle)).at(-1)?.status).toBe("needs_connection");
    }
    Object.assign(servicecard, original);
    expect((await pay(handle, {}, `trouble-${handle}`)).body.status).toBe("ready");
  });
});
