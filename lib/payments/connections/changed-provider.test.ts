import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { disablePaymentProvider } from "@/lib/payments/card-providers/disable-payment-provider";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  connectCustomer,
  createCustomer,
  requestCode,
  startSending,
} from "@/lib/testing/payments/connect-customer";
import { createPayer, grantConsent } from "@/lib/testing/payments/create-payer";
import { connectIssuing } from "@/lib/testing/payments/issue-cards";
import { attachCard } from "@/lib/testing/payments/use-wallet";
import { serveApi } from "@/lib/testing/serve-api";
import { connectFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";

let fake: FakeStripe;
let account: TestAccount;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  const server = await serveApi();
  fake.issuingUrl = `${server.baseUrl}/inbound/stripe/issuing`;
  stops.push(() => fake.close(), server.close, startSending());
});

// Each test changes the account's card provider.
beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });
const pay = (handle: string, amount_cents = 4200) =>
  call("POST /v3/payments", { amount_cents, currency: "usd", handle });
const connectionOf = async (handle: string) =>
  (await call(`GET /v3/payments/handles/${handle}/connection`)).body;
const revoke = async (handle: string) =>
  (await call(`DELETE /v3/payments/handles/${handle}/connection`)).body;
const disable = () => disablePaymentProvider(account.context(), { params: { provider: "servicecard" } });

const CHANGES: [string, () => Promise<unknown>][] = [
  ["was disabled", disable],
  ["no longer issues the cards", () => connectIssuing(account, fake)],
];

async function eventsOf(type: string, handle: string): Promise<string[]> {
  const rows = await sql.runText<{ provider: string }>({
    text: `select data->>'provider' as provider from events
           where account_id = $1 and type = $2 and data->>'handle' = $3 order by 1`,
    values: [account.ref.id, type, handle],
  });
  return rows.map(({ provider }) => provider);
}

async function cardsOf(handle: string) {
  return sql.runText<{ provider: string; status: string; card: string | null }>({
    text: `select p.provider, p.status::text, c.status::text as card
           from agent_payments p left join servicecard_cards c on c.payment_id = p.id
           where p.account_id = $1 and p.handle = $2 and p.amount_minor = 4200`,
    values: [account.ref.id, handle],
  });
}

describe.each(CHANGES)("where the provider of a customer's consent %s", (_, change) => {
  test("the consent is shown, and withdrawn with its cards", async () => {
    const handle = await createPayer(account);
    expect((await pay(handle)).body.status).toBe("ready");
    await change();
    expect(await connectionOf(handle)).toEqual({ handle, status: "connected" });

    expect(await revoke(handle)).toEqual({ handle, status: "revoked" });
    expect(await connectionOf(handle)).toEqual({ handle, status: "revoked" });
    expect(await eventsOf("connection.revoked", handle)).toEqual(["servicecard"]);
    expect(await cardsOf(handle)).toEqual([{ provider: "servicecard", status: "canceled", card: "closed" }]);
  });

  test("a code that was asked for there still connects there", async () => {
    const handle = await createCustomer(account);
    const { connectId, code } = await requestCode(account, handle);
    await change();
    const { body } = await call(`POST /v3/payments/handles/${handle}/verify`, {
      code,
      connect_id: connectId,
    });
    expect(body).toEqual({ handle, status: "connected" });
    expect(await eventsOf("connection.created", handle)).toEqual(["servicecard"]);
  });
});

test("a customer without a consent request is not_connected, also without any provider", async () => {
  await disable();
  const handle = "+16665550100";
  expect(await connectionOf(handle)).toEqual({ handle, status: "not_connected" });
  expect(await revoke(handle)).toEqual({ handle, status: "not_connected" });
});

test("a consent asked for at the new provider is the one shown, and both are withdrawn at once", async () => {
  const handle = await connectCustomer(account);
  await connectIssuing(account, fake);
  const { connectId, code } = await requestCode(account, handle);
  expect((await connectionOf(handle)).status).toBe("pending");
  await call(`POST /v3/payments/handles/${handle}/verify`, { code, connect_id: connectId });

  expect((await revoke(handle)).status).toBe("revoked");
  expect(await eventsOf("connection.revoked", handle)).toEqual(["servicecard", "stripe_issuing"]);
});

describe("a payment that was begun", () => {
  test("goes on at its own provider when another makes the cards by now", async () => {
    const handle = await connectCustomer(account);
    await grantConsent(account, handle);
    const { attach_url } = (await pay(handle)).body;
    await connectIssuing(account, fake);
    expect((await pay(handle)).body).toMatchObject({ status: "awaiting_user_action", attach_url });

    await attachCard(attach_url);
    expect((await pay(handle)).body.status).toBe("ready");
    expect(await cardsOf(handle)).toEqual([{ provider: "servicecard", status: "ready", card: "open" }]);
    expect((await pay(handle, 4300)).body.status).toBe("needs_connection");
  });

  test("makes no card once its provider was disabled; one that has its card is answered as it is", async () => {
    const payer = await createPayer(account);
    const ready = (await pay(payer)).body;
    const handle = await connectCustomer(account);
    await grantConsent(account, handle);
    const { attach_url } = (await pay(handle)).body;
    await disable();

    const refused = await pay(handle);
    expect([refused.status, refused.body.error.code]).toEqual([403, 2011]);
    await attachCard(attach_url);
    expect(await cardsOf(handle)).toEqual([
      { provider: "servicecard", status: "awaiting_user_action", card: null },
    ]);
    expect((await pay(payer)).body).toEqual(ready);
  });
});
