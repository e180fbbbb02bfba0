import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { startCardUpdates } from "@/lib/payments/experiences/update-cards";
import { attemptPayment } from "@/lib/payments/requests/attempt-payment";
import { expirePaymentRequests } from "@/lib/payments/requests/expire-payment-requests";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { sql } from "@/lib/platform/database/db";
import { wake } from "@/lib/platform/database/wake";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  advanceClock,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { attachCard, makePasskey } from "@/lib/testing/payments/use-wallet";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const stopSending = startSending();
  const updates = startCardUpdates();
  stop = () => Promise.all([stopSending(), updates.stop()]);
});

afterAll(() => stop());

async function sendExperience(chatId: string, experience: object): Promise<string> {
  const { status, body } = await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { experience } },
  });
  expect([status, body.error]).toEqual([202, undefined]);
  return body.message.id;
}

async function sendRequest() {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const asked = { amount: 1250, currency: "usd", description: "Dinner" };
  const { id, checkout_url } = await requestPayment(account, asked);
  const params = { checkout_url };
  const messageId = await sendExperience(chatId, { name: "servicepay", action: "request_payment", params });
  return { phone, chatId, id, messageId };
}

async function pay(id: string): Promise<void> {
  await openCheckout(await rowOf(account, id));
  await attemptPayment(await rowOf(account, id), { card: "succeeds" });
}

/** Returns the texts of a card's updates on a phone, in order. */
async function cardTextsOn(handle: string, messageId: string): Promise<unknown[]> {
  const rows = await sql.runText<{ word: unknown }>({
    text: `select parts->0->'layout'->>'trailing_subcaption' as word from simulator_messages
           where account_id = $1 and handle = $2 and parts->0->>'replaces' = $3 order by created_at, ref`,
    values: [account.ref.id, handle, messageId],
  });
  return rows.map(({ word }) => word);
}

function untilCardTexts(handle: string, messageId: string) {
  return until(async () => {
    const words = await cardTextsOn(handle, messageId);
    return words.length > 0 && words;
  });
}

/** Waits until every pending update has been sent. */
function untilSettled(messageId: string) {
  return until(async () => {
    const [card] = await sql.runText<{ due_at: Date | null }>({
      text: "select due_at from experience_cards where account_id = $1 and message_id = $2",
      values: [account.ref.id, messageId],
    });
    return card !== undefined && card.due_at === null;
  });
}

test("a card says Paid in its place once its request is paid, in each chat and once", async () => {
  const { phone, chatId, id, messageId } = await sendRequest();
  const other = await createTestPhone(account);
  const { checkout_url } = (await callApi(`GET /v3/payment_requests/${id}`, { token: account.token })).body;
  const second = await sendExperience(await createDirectChat(account, other), {
    name: "servicepay",
    action: "request_payment",
    params: { checkout_url },
  });
  await untilStatus(account, messageId, "delivered");
  await untilStatus(account, second, "delivered");
  expect(await cardTextsOn(phone, messageId)).toEqual([]);

  await pay(id);

  expect(await untilCardTexts(phone, messageId)).toEqual(["Paid"]);
  expect(await untilCardTexts(other, second)).toEqual(["Paid"]);
  await untilSettled(messageId);
  wake("cards");
  expect(await cardTextsOn(phone, messageId)).toEqual(["Paid"]);
  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual([
    "$12.50 requested",
    "The checkout for $12.50 was opened",
    "A payment of $12.50 was attempted",
    "$12.50 paid",
  ]);
});

test("a request that is canceled or expires leaves a card that says so", async () => {
  const canceled = await sendRequest();
  await untilStatus(account, canceled.messageId, "delivered");
  await callApi(`POST /v3/payment_requests/${canceled.id}/cancel`, { token: account.token });
  expect(await untilCardTexts(canceled.phone, canceled.messageId)).toEqual(["No longer payable"]);

  const expired = await sendRequest();
  await untilStatus(account, expired.messageId, "delivered");
  advanceClock(86_401);
  await expirePaymentRequests(new AbortController().signal);
  wake("cards");
  expect(await untilCardTexts(expired.phone, expired.messageId)).toEqual(["No longer payable"]);
});

test("an update waits until the card is on the phone", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await changeTestPhone(account, phone, { delay_ms: 60_000 });
  const { id, checkout_url } = await requestPayment(account);
  const params = { checkout_url };
  const messageId = await sendExperience(chatId, { name: "servicepay", action: "request_payment", params });
  await pay(id);
  await until(async () => {
    const [card] = await sql.runText<{ attempts: number }>({
      text: "select attempts from experience_cards where account_id = $1 and message_id = $2",
      values: [account.ref.id, messageId],
    });
    return (card?.attempts ?? 0) > 0;
  });
  expect(await cardTextsOn(phone, messageId)).toEqual([]);

  advanceClock(61);
  await untilStatus(account, messageId, "delivered");
  await changeTestPhone(account, phone, { delay_ms: 0 });
  advanceClock(3600);
  wake("cards");
  expect(await untilCardTexts(phone, messageId)).toEqual(["Paid"]);
});

test("no card update is sent after a STOP", async () => {
  const { phone, chatId, id, messageId } = await sendRequest();
  await untilStatus(account, messageId, "delivered");
  await writeAs(account, phone, { to: chatId, text: "STOP" });
  await pay(id);
  await untilSettled(messageId);
  expect(await cardTextsOn(phone, messageId)).toEqual([]);
});

test("no card keeps asking for a request that ended while the card was sent", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  for (let round = 0; round < 8; round++) {
    const { id, checkout_url } = await requestPayment(account);
    const experience = { name: "servicepay", action: "request_payment", params: { checkout_url } };
    await Promise.all([
      callApi(`POST /v3/chats/${chatId}/messages`, {
        token: account.token,
        body: { message: { experience } },
      }),
      callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token }),
    ]);
    const cards = await sql.runText<{ state: string }>({
      text: "select state::text from experience_cards where account_id = $1 and subject_id = $2",
      values: [account.ref.id, id],
    });
    expect(cards.filter(({ state }) => state !== "ended")).toEqual([]);
  }
});

test("a card that asked for a card says Done when one was attached; one that asks to approve ends with its payment", async () => {
  const handle = await connectCustomer(account);
  const body = { amount_cents: 4200, currency: "usd", handle };
  const advance = async () => (await callApi("POST /v3/payments", { token: account.token, body })).body;
  const [{ id: chatId } = { id: "" }] = await sql.runText<{ id: string }>({
    text: "select id from chats where account_id = $1 and recipient_handle = $2",
    values: [account.ref.id, handle],
  });
  const { attach_url } = await advance();
  const attach = await sendExperience(chatId, { name: "servicecard", action: "attach_card", params: {} });
  await untilStatus(account, attach, "delivered");
  await attachCard(attach_url);
  await makePasskey(attach_url, createAuthenticator());
  expect(await untilCardTexts(handle, attach)).toEqual(["Done"]);

  expect((await advance()).approval_url).toBeDefined();
  const approve = await sendExperience(chatId, { name: "servicecard", action: "approve_card", params: {} });
  await untilStatus(account, approve, "delivered");
  const [payment] = await sql.runText<{ id: string }>({
    text: "select id from agent_payments where account_id = $1 and handle = $2",
    values: [account.ref.id, handle],
  });
  await callApi(`POST /v3/payments/${payment?.id}/cancel`, { token: account.token });
  expect(await untilCardTexts(handle, approve)).toEqual(["No longer needed"]);
  expect(await cardTextsOn(handle, attach)).toEqual(["Done"]);
});
