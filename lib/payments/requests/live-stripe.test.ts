import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { finishConnection, startConnection } from "@/lib/payments/processors/connect-processor";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { connectFakeStripe, seedFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";

const SHOP = "acct_live";
let fake: FakeStripe;

// The instance has a live key.
beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake, { isLive: true });
  seedFakeStripe(fake.books, SHOP);
});

afterAll(() => fake.close());

/** Returns from Stripe with the state that a production account was given. */
async function connect(of: TestAccount) {
  const context = of.context();
  const { url } = await startConnection({ ...context, account: { ...context.account, type: "production" } });
  const state = new URL(url).searchParams.get("state") ?? "";
  return finishConnection(context, { query: { code: `code_${SHOP}`, state } });
}

test("a production account is paid with a live key", async () => {
  const production = await createTestAccount({ type: "production" });
  expect(await connect(production)).toMatchObject({ merchant_id: SHOP, can_charge: true });
  const row = await rowOf(production, (await requestPayment(production)).id);
  expect(await openCheckout(row)).toMatchObject({ kind: "stripe" });
});

test("a sandbox account is not connected to a live Stripe account", async () => {
  const sandbox = await createTestAccount({ type: "sandbox" });
  await expect(startConnection(sandbox.context())).rejects.toThrow("requires a Stripe test key");
  await expect(connect(sandbox)).rejects.toThrow("requires a Stripe test account");
  const { body } = await callApi("POST /v3/payment_requests", {
    token: sandbox.token,
    body: { amount: 1250, currency: "usd" },
  });
  expect((await rowOf(sandbox, body.id)).processor).toBe("sandbox");
});

test("a sandbox that connected Stripe before the key became a live one takes no money", async () => {
  const account = await createTestAccount({ type: "production" });
  await connect(account);
  const { id } = await requestPayment(account);
  await sql.runText({ text: "update accounts set type = 'sandbox' where id = $1", values: [account.ref.id] });

  const { status, body } = await callApi("POST /v3/payment_requests", {
    token: account.token,
    body: { amount: 1250, currency: "usd" },
  });
  expect([status, body.error.code]).toEqual([403, 2011]);
  const before = fake.books.intents.size;
  await expect(openCheckout(await rowOf(account, id))).rejects.toThrow("requires a Stripe test key");
  expect(fake.books.intents.size).toBe(before);
});
