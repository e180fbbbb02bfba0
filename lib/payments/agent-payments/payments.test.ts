import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { GET as customerRoute } from "@/app/api/agent-payments/connections/[handle]/route";
import { sweepAgentPayments } from "@/lib/payments/agent-payments/sweep-agent-payments";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { agentPaymentBench } from "@/lib/testing/payments/agent-payment-bench";
import { createCustomer, requestCode } from "@/lib/testing/payments/connect-customer";
import { approve, attachCard, makePasskey } from "@/lib/testing/payments/use-wallet";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

const bench = agentPaymentBench();
const { call, later, pay, createPayer, fetchCard, charge, eventsOf, paymentsOf } = bench;

describe("from the first call to the money", () => {
  test("each POST answers what is to be done next, until there is a card", async () => {
    const handle = await createCustomer(bench.account);
    const first = await pay(handle, { description: "Dinner for two" });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      amount_cents: 4200,
      currency: "usd",
      description: "Dinner for two",
      handle,
      status: "needs_connection",
    });

    const { connectId, code } = await requestCode(bench.account, handle);
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
    await sweepAgentPayments(new AbortController().signal);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("authorized");
    expect((await callApi("POST /vault/charges", { body })).body.outcome).toBe("captured");
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("succeeded");
  });
});

describe("events for the dashboard", () => {
  const movesOf = async (paymentId: string) => {
    const rows = await sql.runText<{ status: string }>({
      text: `select data->>'status' as status from events
             where account_id = $1 and type = 'agent_payment.moved' and data->>'payment_id' = $2 order by seq`,
      values: [bench.account.ref.id, paymentId],
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

  test("a customer's page shows each payment with its consent and passkey", async () => {
    const { handle } = await createPayer();
    await charge((await pay(handle)).body.id);
    const viewer = await signInAs(bench.account, "viewer");
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
    const handle = await createCustomer(bench.account);
    await pay(handle, { merchant: { name: "DoorDash", url: "doordash.com" } });
    await pay(handle, { merchant: { name: "DoorDash", url: "https://doordash.com" } });
    const rows = await sql.runText({
      text: "select merchant_url from agent_payments where account_id = $1 and handle = $2",
      values: [bench.account.ref.id, handle],
    });
    expect(rows).toEqual([{ merchant_url: "https://doordash.com" }]);
    for (const url of ["doordash", "javascript:alert(1)", "mailto:a@doordash.com", "ftp://doordash.com"]) {
      const { status, body } = await pay(handle, { merchant: { url } });
      expect([url, status, body.error?.code]).toEqual([url, 400, 1005]);
    }
  });

  test("without a key the open one of the same handle, amount, currency and merchant, for 15 minutes", async () => {
    const handle = await createCustomer(bench.account);
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
      const cards = await sql.runText({
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
    ["a merchant url with a password", { merchant: { url: "https://a:b@harbor.example" } }, 1005],
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

  test("a production bench.account has no provider yet: 403/2011", async () => {
    const production = await createTestAccount({ type: "production" });
    const body = { amount_cents: 1, currency: "usd", handle: "+16665550100" };
    const answer = await callApi("POST /v3/payments", { token: production.token, body });
    expect([answer.status, answer.body.error.code]).toEqual([403, 2011]);
  });
});
