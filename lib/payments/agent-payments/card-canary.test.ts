import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { containsText, tablesWith } from "@/lib/testing/database/tables-with";
import { codeTrace } from "@/lib/testing/payments/card-traces";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import {
  connectIssuing,
  createIssuedPayer,
  fetchIssuedCard,
  type IssuedCard,
} from "@/lib/testing/payments/issue-cards";
import { approve, attachCard, makePasskey } from "@/lib/testing/payments/use-wallet";
import { serveApi } from "@/lib/testing/serve-api";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import { connectFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { captureAtMerchant, chargeIssuedCard } from "@/lib/testing/stripe/fake-stripe-merchant";
import { until } from "@/lib/testing/until";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";

const logged = captureLog();

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

function filesWith(what: string | RegExp): string[] {
  const root = env().DATA_DIR;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => containsText(readFileSync(path.join(entry.parentPath, entry.name), "latin1"), what))
    .map((entry) => entry.name);
}

async function subscribe(): Promise<void> {
  const { status } = await call("POST /v3/webhook-subscriptions", {
    target_url: `${receiver.url}?${crypto.randomUUID()}`,
    subscribed_events: ["payment.authorized", "payment.declined", "connection.created"],
  });
  expect(status).toBe(201);
}

/** Checks that the card is stored nowhere, after checking that every searched place contains the payment. */
async function expectNowhere(id: string, { number, cvc, userToken }: IssuedCard): Promise<void> {
  log.error({ id }, "the log is looked at");
  expect(logged.join("")).toContain(id);
  expect(await tablesWith(id)).toContain("api_requests");
  expect(JSON.stringify(receiver.received)).toContain(id);
  await expectNoTrace([number, codeTrace(cvc), userToken]);
}

async function expectNoTrace(secrets: (string | RegExp)[]): Promise<void> {
  const received = JSON.stringify(receiver.received);
  for (const secret of secrets) {
    expect([secret, await tablesWith(secret)]).toEqual([secret, []]);
    expect([secret, containsText(received, secret)]).toEqual([secret, false]);
    expect([secret, containsText(logged.join(""), secret)]).toEqual([secret, false]);
    expect([secret, filesWith(secret)]).toEqual([secret, []]);
  }
}

/** A security code that occurs nowhere else. The three digits of a real code could occur by chance. */
const markedCode = () => `code-${crypto.randomUUID()}`;

/**
 * A faulty agent: sends a card to endpoints that don't take one, under other field names and as a form. The vault
 * rejects it too.
 */
async function sendWrongly(
  { number, cvc }: { number: string; cvc: string },
  handle: string,
): Promise<string> {
  const code = markedCode();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const bodies = [
    { number, cvc, amount_cents: number, currency: "usd", handle },
    { pan: number, security_code: code, card: { cvv: code }, amount_cents: number, currency: "usd", handle },
  ];
  for (const body of bodies) expect((await call("POST /v3/payments", body)).status).toBe(400);
  for (const value of [cvc, code]) {
    const body = new URLSearchParams({ cvc: value, security_code: value, number }).toString();
    const asForm = { token: account.token, body, headers: form };
    expect((await callApi("POST /v3/payments", asForm)).status).toBe(400);
    expect((await callApi("POST /vault/charges", asForm)).status).toBe(400);
    expect((await callApi("POST /vault/charges", { body: { number, cvv: value } })).status).toBe(400);
  }
  return code;
}

describe("a security code's trace", () => {
  test.each([
    ['{"cvc":"123"}'],
    ['{\\"security_code\\": \\"123\\"}'],
    ["number=4000&cvc=123&amount=1"],
    ["card[cvc]=123"],
    ["card%5Bcvv2%5D%3D123"],
    ["CVV: 123"],
    ['["cvc","123"]'],
  ])("is found in %s", (text) => expect(containsText(text, codeTrace("123"))).toBe(true));

  test.each([
    ['{"cvc":"1234"}'],
    ['{"status":123}'],
    ['{"cvc":"x","ms":123}'],
    ["cvc is wrong after 123 ms"],
  ])("is not in %s", (text) => expect(containsText(text, codeTrace("123"))).toBe(false));

  test("is found in a row's text, whose quotes are doubled", async () => {
    const [row] = await sql.runText<{ text: string }>({
      text: `select t::text as text from (select '{"cvc": "123"}'::jsonb as body, 'cvc' as name) t`,
    });
    expect(containsText(row?.text ?? "", codeTrace("123"))).toBe(true);
  });
});

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

  const sent = await sendWrongly({ number, cvc }, handle);
  const charge = { number, cvc, amount_cents: 4200, currency: "usd" };
  expect((await callApi("POST /vault/charges", { body: charge })).body.outcome).toBe("captured");
  await until(async () => receiver.received.length >= 2);
  await requestLog.stop();

  await expectNowhere(id, { number, cvc, userToken: handoff.user_token });
  await expectNoTrace([sent]);
});

test("no number of a card that Stripe issued is stored, whether it was charged, declined or closed", async () => {
  const requestLog = startRequestLog();
  await subscribe();
  await connectIssuing(account, fake);
  const handle = await createIssuedPayer(account);
  let order = 0;
  const newCard = async () => {
    const headers = { "idempotency-key": `issued-${++order}` };
    const body = { amount_cents: 4200, currency: "usd", handle };
    const { id } = (await callApi("POST /v3/payments", { token: account.token, body, headers })).body;
    for (const secret of fake.books.issuing.secrets.values()) {
      if (/^\d+$/.test(secret.cvc)) secret.cvc = markedCode();
    }
    return { id, ...(await fetchIssuedCard(account, id)) };
  };
  const [charged, declined, closed] = [await newCard(), await newCard(), await newCard()];
  for (const { number, cvc } of [charged, declined, closed]) {
    expect([number, cvc]).toEqual([expect.stringMatching(/^\d{16}$/), expect.stringMatching(/^code-/)]);
  }

  await captureAtMerchant(fake, await chargeIssuedCard(fake, { ...charged, amount: 4200 }));
  await chargeIssuedCard(fake, { ...declined, amount: 4201 });
  await call(`POST /v3/payments/${closed.id}/cancel`);
  const sent = await sendWrongly(closed, handle);
  const emitted = () => JSON.stringify(receiver.received);
  await until(async () => emitted().includes(charged.id) && emitted().includes(declined.id));
  await requestLog.stop();

  for (const card of [charged, declined]) await expectNowhere(card.id, card);
  await expectNoTrace([closed.number, closed.cvc, closed.userToken, sent]);
});
