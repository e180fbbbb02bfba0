import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET as callbackRoute } from "@/app/api/processors/stripe/callback/route";
import type { ConnectFlow } from "@/lib/adapters/processors/processor";
import { stripeProcessor } from "@/lib/adapters/processors/stripe/stripe-processor";
import {
  endConnection,
  finishConnection,
  startConnection,
} from "@/lib/payments/processors/connect-processor";
import { findConnection } from "@/lib/payments/processors/find-merchant";
import { expirePaymentRequests } from "@/lib/payments/requests/expire-payment-requests";
import { sql } from "@/lib/platform/database/db";
import { checkoutUrl } from "@/lib/platform/env";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";
import { openedRequest, paymentEvents, requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { connectFakeStripe, seedFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { eventOf, type FakeStripe, signedEvent, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";

let fake: FakeStripe;
let account: TestAccount;
/** The id of the partner's account at Stripe. */
let shop: string;
let shops = 0;

const original = { ...stripeProcessor };
const connectFlow = original.connect as ConnectFlow;
afterEach(() => Object.assign(stripeProcessor, original));

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
});

afterAll(() => fake.close());

beforeEach(async () => {
  shop = `acct_${++shops}`;
  seedFakeStripe(fake.books, shop);
  account = await createTestAccount({ type: "sandbox" });
  await connect();
});

async function connect(code = `code_${shop}`) {
  const { url } = await startConnection(account.context());
  const state = new URL(url).searchParams.get("state") ?? "";
  return finishConnection(account.context(), { query: { code, state } });
}

function cancel(id: string) {
  return callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
}

const statusOf = async (id: string) => (await rowOf(account, id)).status;
const connection = () => findConnection(account.ref.id);

test("connecting registers the checkout's host for wallets; a failed registration does not prevent the connection", async () => {
  const domain = `${shop}/${new URL(checkoutUrl()).hostname}`;
  expect([...fake.books.domains]).toContain(domain);
  fake.books.domains.delete(domain);
  fake.breaksAt = "POST /v1/payment_method_domains";
  expect(await connect()).toMatchObject({ merchant_id: shop, can_charge: true });
  fake.breaksAt = null;
  expect([...fake.books.domains]).not.toContain(domain);
});

test("Stripe cannot be disconnected while a payer can still pay an open request", async () => {
  const row = await openedRequest(account);
  const { id } = await requestPayment(account);
  await expect(endConnection(account.context())).rejects.toThrow(
    "opened some of the open payment requests (1)",
  );
  expect([await connection(), fake.books.gone.has(shop)]).toMatchObject([{ merchantId: shop }, false]);

  expect((await cancel(row.id)).body.status).toBe("canceled");
  await endConnection(account.context());
  expect([await connection(), fake.books.gone.has(shop)]).toEqual([null, true]);
  expect((await cancel(id)).body.status).toBe("canceled");
});

test("an account that has disconnected us at Stripe is disconnected here as well", async () => {
  fake.books.gone.add(shop);
  await endConnection(account.context());
  expect(await connection()).toBeNull();
});

test("an account still connected at Stripe stays connected here when Trunkline's client id is wrong", async () => {
  fake.books.clientId = "ca_another";
  await expect(endConnection(account.context())).rejects.toMatchObject({ errorName: "service_operation" });
  fake.books.clientId = "ca_fake";
  expect(await connection()).toMatchObject({ merchantId: shop });
});

/** Makes another change after Stripe has answered the first call of `name`, and before the caller has the answer. */
function whileAnswering(name: "disconnect" | "canCharge" | "finish", change: () => Promise<unknown>): void {
  let isFirst = true;
  const call = async (argument: string) => {
    const answer = await connectFlow[name](argument);
    if (isFirst) {
      isFirst = false;
      await change();
    }
    return answer;
  };
  Object.assign(stripeProcessor, { connect: { ...connectFlow, [name]: call } });
}

describe("of a disconnection and another change while Stripe answers", () => {
  const disconnections = () =>
    sql.runText({
      text: "select 1 from audit_entries where account_id = $1 and action = 'processor.disconnected'",
      values: [account.ref.id],
    });

  test("an account that is connected meanwhile stays connected", async () => {
    const next = `acct_${++shops}`;
    seedFakeStripe(fake.books, next);
    whileAnswering("disconnect", () => connect(`code_${next}`));
    await endConnection(account.context());
    expect(await connection()).toMatchObject({ merchantId: next });
    expect([fake.books.gone.has(shop), fake.books.gone.has(next)]).toEqual([true, false]);
  });

  test("two disconnections at once are one in the audit", async () => {
    whileAnswering("disconnect", () => endConnection(account.context()));
    await endConnection(account.context());
    expect(await connection()).toBeNull();
    expect(await disconnections()).toHaveLength(1);
  });
});

test("a code that was used or is too old is 400, and leaves the connection as it is", async () => {
  await expect(connect("code_used")).rejects.toMatchObject({ errorName: "parameter_invalid" });
  expect(await connection()).toMatchObject({ merchantId: shop });
});

describe("a person who returns from Stripe", () => {
  const stateOf = async () =>
    new URL((await startConnection(account.context())).url).searchParams.get("state") ?? "";

  test.each([
    ["after agreeing", "ready", async () => ({ code: `code_${shop}`, state: await stateOf() })],
    ["after declining", "refused", async () => ({ error: "access_denied", state: await stateOf() })],
    ["with a code that was used", "failed", async () => ({ code: "code_used", state: await stateOf() })],
    ["with a forged state", "failed", async () => ({ code: `code_${shop}`, state: "forged" })],
    ["with nothing", "failed", async () => ({})],
  ])(
    "is redirected to the payment settings %s: %s",
    async (_, outcome, query: () => Promise<Record<string, string>>) => {
      const admin = await signInAs(account, "admin");
      const { status, headers } = await admin.call(callbackRoute, { query: await query() });
      expect(status).toBe(303);
      expect(headers.get("location")).toMatch(new RegExp(`/payments/settings\\?connected=${outcome}$`));
      expect(headers.get("x-trace-id")).not.toBe("");
    },
  );

  test("connects nothing without the right or a session", async () => {
    const query = { code: `code_${shop}`, state: await stateOf() };
    await endConnection(account.context());
    const viewer = await signInAs(account, "viewer");
    expect((await viewer.call(callbackRoute, { query })).headers.get("location")).toMatch(
      /connected=failed$/,
    );
    const request = new Request(`https://trunkline.test/api?${new URLSearchParams(query)}`);
    const response = await callbackRoute(request, { params: Promise.resolve({}) });
    expect([response.status, await connection()]).toEqual([303, null]);
  });
});

describe("news of the account at Stripe", () => {
  async function tell(type: string, object: object = {}) {
    const { body, headers } = signedEvent(eventOf(shop, type, object));
    expect((await callApi("POST /inbound/stripe", { body, headers })).status).toBe(200);
  }

  function setCharging(charges_enabled: boolean) {
    seedFakeStripe(fake.books, shop);
    Object.assign(fake.books.accounts.get(shop) ?? {}, { charges_enabled });
  }

  const auditOf = () =>
    sql.runText({
      text: `select action, actor_type as by from audit_entries
             where account_id = $1 and action in ('processor.ready', 'processor.restricted') order by id`,
      values: [account.ref.id],
    });

  test("an account that may no longer charge makes no requests, until it may again; the audit tells", async () => {
    setCharging(false);
    await tell("account.updated", { id: shop, object: "account", charges_enabled: false });
    await expect(requestPayment(account)).rejects.toMatchObject({ errorName: "feature_not_available" });
    setCharging(true);
    await tell("account.updated", { id: shop, object: "account", charges_enabled: true });
    expect((await requestPayment(account)).status).toBe("requested");
    expect(await auditOf()).toEqual([
      { action: "processor.restricted", by: "system" },
      { action: "processor.ready", by: "system" },
    ]);
  });

  test("old news that come late are not believed", async () => {
    await tell("account.updated", { id: shop, object: "account", charges_enabled: false });
    await tell("account.application.deauthorized", { id: "ca_fake", object: "application" });
    expect(await connection()).toMatchObject({ canCharge: true });
    expect(await auditOf()).toEqual([]);
  });

  test("of two reads whose answers arrive in reverse order, the later one is stored", async () => {
    whileAnswering("canCharge", async () => {
      setCharging(false);
      await tell("account.updated", { id: shop, object: "account", charges_enabled: false });
    });
    await tell("account.updated", { id: shop, object: "account", charges_enabled: true });
    expect(await connection()).toMatchObject({ canCharge: false });
    expect((await auditOf()).at(-1)).toEqual({ action: "processor.restricted", by: "system" });
  });

  test("news that arrive before the connection is stored are not lost", async () => {
    await endConnection(account.context());
    setCharging(false);
    whileAnswering("finish", async () => {
      setCharging(true);
      await tell("account.updated", { id: shop, object: "account", charges_enabled: true });
    });
    expect(await connect()).toMatchObject({ can_charge: true });
    expect(await connection()).toMatchObject({ canCharge: true });
  });

  test("an account disconnected at Stripe cannot charge; without a connection Stripe is not called", async () => {
    fake.books.gone.add(shop);
    await tell("account.application.deauthorized", { id: "ca_fake", object: "application" });
    expect(await connection()).toMatchObject({ canCharge: false });
    await endConnection(account.context());
    fake.mode = "down";
    await tell("account.updated", { id: shop, object: "account", charges_enabled: true });
    fake.mode = "well";
  });
});

test("a request that was opened at an account which has disconnected Trunkline expires at its time or is canceled", async () => {
  const [row, other] = [await openedRequest(account), await openedRequest(account)];
  fake.books.gone.add(shop);
  advanceClock(3600);
  await expirePaymentRequests(new AbortController().signal);
  expect(await statusOf(row.id)).toBe("requested");
  expect((await cancel(other.id)).body.status).toBe("canceled");

  advanceClock(86_400);
  await expirePaymentRequests(new AbortController().signal);
  expect(await statusOf(row.id)).toBe("expired");
  const ends = (await paymentEvents(account)).filter(({ type }) => /^payment\.\w+$/.test(type));
  expect(ends.map(({ type }) => type)).toEqual(["payment.canceled", "payment.expired"]);
});
