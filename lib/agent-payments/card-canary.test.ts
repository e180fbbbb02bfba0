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
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/factories";
import { createAuthenticator } from "@/lib/testing/software-authenticator";
import { type Receiver, startReceiver } from "@/lib/testing/start-receiver";
import { tablesWith } from "@/lib/testing/tables-with";
import { approve, attachCard, makePasskey } from "@/lib/testing/use-wallet";
import { startWebhookDelivery } from "@/lib/webhooks/deliver-webhooks";

let account: TestAccount;
let receiver: Receiver;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
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

test("after a whole payment no card number and no security code is anywhere but at the provider", async () => {
  const requestLog = startRequestLog();
  const subscription = await call("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["payment.authorized", "connection.created"],
  });
  expect(subscription.status).toBe(201);

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

  log.error({ id }, "the log is looked at");
  expect(logged.join("")).toContain(id);
  expect(await tablesWith(id)).toContain("api_requests");
  const received = JSON.stringify(receiver.received);
  expect(received).toContain(id);
  for (const secret of [number, `"cvc":"${cvc}"`, `"cvc": "${cvc}"`, handoff.user_token]) {
    expect(await tablesWith(secret)).toEqual([]);
    expect(received).not.toContain(secret);
    expect(logged.join("")).not.toContain(secret);
    expect(filesWith(secret)).toEqual([]);
  }
});
