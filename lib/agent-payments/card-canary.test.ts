import { logged } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRequestLog } from "@/lib/http/observe-requests";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { callApi } from "@/lib/testing/call-api";
import { connectCustomer, startSending } from "@/lib/testing/connect-customer";
import { connectFakeStripe } from "@/lib/testing/connect-fake-stripe";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/factories";
import { type FakeStripe, startFakeStripe } from "@/lib/testing/fake-stripe";
import { buyWithCard, captureAtMerchant } from "@/lib/testing/fake-stripe-merchant";
import {
  connectIssuing,
  createIssuedPayer,
  fetchIssuedCard,
  type IssuedCard,
} from "@/lib/testing/issue-cards";
import { serveApi } from "@/lib/testing/serve-api";
import { createAuthenticator } from "@/lib/testing/software-authenticator";
import { type Receiver, startReceiver } from "@/lib/testing/start-receiver";
import { tablesWith } from "@/lib/testing/tables-with";
import { approve, attachCard, makePasskey } from "@/lib/testing/use-wallet";
import { startWebhookDelivery } from "@/lib/webhooks/deliver-webhooks";

let account: TestAccount;
let fake: FakeStripe;
let receiver: Receiver;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  const server = await serveApi();
  fake.issuingUrl = `${server.baseUrl}/inbound/stripe/issuing`;
  stops.push(() => fake.close(), server.close);
  account = await createTestAccount({ type: "sandbox" });
  stops.push(startSending());
  const deliveries = startWebhookDelivery();
  stops.push(() => deliveries.stop());
  receiver = await startReceiver();
  stops.push(() => receiver.close());
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });

function filesWith(text: string): string[] {
  const root = env().DATA_DIR;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(text))
    .map((entry) => entry.name);
}

async function subscribe(): Promise<void> {
  const { status } = await call("POST /v3/webhook-subscriptions", {
    target_url: `${receiver.url}?${crypto.randomUUID()}`,
    subscribed_events: ["payment.authorized", "payment.declined", "connection.created"],
  });
  expect(status).toBe(201);
}

/** Looks where a card could have been left, after making sure that there is something to find. */
async function expectNowhere(id: string, { number, cvc, userToken }: IssuedCard): Promise<void> {
  log.error({ id }, "the log is looked at");
  expect(logged.join("")).toContain(id);
  expect(await tablesWith(id)).toContain("api_requests");
  const received = JSON.stringify(receiver.received);
  expect(received).toContain(id);
  for (const secret of [number, `"cvc":"${cvc}"`, `"cvc": "${cvc}"`, userToken]) {
    expect(await tablesWith(secret)).toEqual([]);
    expect(received).not.toContain(secret);
    expect(logged.join("")).not.toContain(secret);
    expect(filesWith(secret)).toEqual([]);
  }
}

test("after a whole payment no card number and no security code is anywhere but at the provider", async () => {
  const requestLog = startRequestLog();
  await subscribe();
  const handle = await connectCustomer(account);
  const authenticator = createAuthenticator();
  const pay = async () =>
    (await call("POST /v3/payments", { amount_cents: 4200, currency: "usd", handle })).body;
  const { attach_url } = await pay();
  await attachCard(attach_url);
  await makePasskey(attach_url, authenticator);
  await approve((await pay()).approval_url, authenticator);
  const { id } = await pay();

  const { handoff } = (await call(`GET /v3/payments/${id}/credentials`)).body;
  const headers = { authorization: `Bearer ${handoff.user_token}` };
  const card = (await callApi(`GET ${new URL(handoff.fetch_url).pathname}`, { headers })).body;
  const { number, cvc } = card;
  expect(number).toMatch(/^\d{16}$/);

  // An agent that errs: the number where it does not belong, and a charge the vault refuses.
  await call("POST /v3/payments", { number, cvc, amount_cents: number, currency: "usd", handle });
  await callApi("POST /vault/charges", { body: { number, cvc: "x" } });
  const charge = { number, cvc, amount_cents: 4200, currency: "usd" };
  expect((await callApi("POST /vault/charges", { body: charge })).body.outcome).toBe("captured");
  await until(async () => receiver.received.length >= 2);
  await requestLog.stop();

  await expectNowhere(id, { number, cvc, userToken: handoff.user_token });
});

test("nor is a card that Stripe issued, whether it was charged, declined or closed", async () => {
  const requestLog = startRequestLog();
  await subscribe();
  await connectIssuing(account, fake);
  const handle = await createIssuedPayer(account);
  let order = 0;
  const newCard = async () => {
    const headers = { "idempotency-key": `issued-${++order}` };
    const body = { amount_cents: 4200, currency: "usd", handle };
    const { id } = (await callApi("POST /v3/payments", { token: account.token, body, headers })).body;
    return { id, ...(await fetchIssuedCard(account, id)) };
  };
  const [charged, declined, closed] = [await newCard(), await newCard(), await newCard()];
  expect(charged.number).toMatch(/^\d{16}$/);

  await captureAtMerchant(fake, await buyWithCard(fake, { ...charged, amount: 4200 }));
  await buyWithCard(fake, { ...declined, amount: 4201 });
  await call(`POST /v3/payments/${closed.id}/cancel`);
  const { number, cvc } = closed;
  await call("POST /v3/payments", { number, cvc, amount_cents: number, currency: "usd", handle });
  const told = () => JSON.stringify(receiver.received);
  await until(async () => told().includes(charged.id) && told().includes(declined.id));
  await requestLog.stop();

  for (const card of [charged, declined]) await expectNowhere(card.id, card);
  expect(await tablesWith(closed.number)).toEqual([]);
  expect(logged.join("")).not.toContain(closed.number);
});
