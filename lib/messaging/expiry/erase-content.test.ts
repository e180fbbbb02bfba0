import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { advanceMessage } from "@/lib/messaging/dispatch/advance-message";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { prisma, sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import {
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";

/** The recipient's phone, which keeps its messages because deleting does not unsend. */
const PHONE = "simulator_messages";

let account: TestAccount;
let canaries = 0;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

function start(): void {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch(), startWebhookDelivery());
}

function newCanary(): string {
  return `canary-${++canaries}-sings`;
}

async function send(chatId: string, text: string): Promise<string> {
  const body = {
    message: { parts: [{ type: "text", value: text }], idempotency_key: `key ${text.length} ${++canaries}` },
  };
  const answer = await callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body });
  return answer.body.message.id;
}

async function remove(messageId: string): Promise<void> {
  const answer = await callApi(`DELETE /v3/messages/${messageId}`, { token: account.token });
  expect(answer.status).toBe(204);
}

/** A receiver that echoes each request, subscribed to message events. */
async function subscribeEcho(): Promise<Receiver> {
  const receiver = await startReceiver((response) => response.end(receiver.received.at(-1)?.body));
  const events = ["message.sent", "message.delivered"];
  const body = { target_url: receiver.url, subscribed_events: events };
  const { status } = await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
  expect(status).toBe(201);
  return receiver;
}

test("after a delete nothing in the database holds what was written, but the phone that got it", async () => {
  const canary = newCanary();
  const kept = newCanary();
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const receiver = await subscribeEcho();
  const requestLog = startRequestLog();
  start();
  const other = await send(chatId, kept);
  const id = await send(chatId, canary);
  for (const messageId of [id, other]) await untilStatus(account, messageId, "delivered");
  await callApi(`GET /v3/messages/${id}`, { token: account.token });
  await callApi(`GET /v3/chats/${chatId}/messages`, { token: account.token });
  await until(async () => (await prisma().webhookAttempt.count({ where: { statusCode: 200 } })) === 4);
  await requestLog.stop();
  const everywhere = ["api_requests", "events", "messages", PHONE, "webhook_attempts"];
  expect(await tablesWith(canary)).toEqual(everywhere);

  await remove(id);

  expect(await tablesWith(canary)).toEqual([PHONE]);
  expect(await tablesWith(kept)).toEqual(everywhere);
  const types = (await eventsOfMessage(account, id)).map(({ type }) => type);
  expect(types).toEqual(["message.sent", "message.delivered"]);
  const [row] = await prisma().apiRequest.findMany({
    where: { messageIds: { has: id } },
    orderBy: { id: "asc" },
  });
  expect(row).toMatchObject({ status: 202, requestBody: null, responseBody: null });
  expect(row?.requestBytes).toBeGreaterThan(0);
  await receiver.close();
});

test("the texts before an edit and the reactions on a message go with it", async () => {
  const canary = newCanary();
  const phone = await createTestPhone(account);
  const { messageId } = await writeAs(account, phone, { to: account.line, text: canary });
  for (const text of [`${canary} again`, "something else"]) {
    const { token } = account;
    await callApi(`POST /simulator/phones/${phone}/edits`, { token, body: { message_id: messageId, text } });
  }
  const emoji = { operation: "add", type: "custom", custom_emoji: "🦜" };
  await callApi(`POST /v3/messages/${messageId}/reactions`, { token: account.token, body: emoji });
  expect(await tablesWith(canary)).toEqual(["events", "message_edits", PHONE]);
  expect(await tablesWith("🦜")).toEqual(["chat_actions", "events", "reactions"]);

  await remove(messageId);

  expect(await tablesWith(canary)).toEqual([PHONE]);
  expect(await tablesWith("🦜")).toEqual([]);
  const types = (await eventsOfMessage(account, messageId)).map(({ type }) => type);
  expect(types).toEqual(["message.received", "message.edited", "message.edited", "reaction.added"]);
});

test("a request that is logged after its message was deleted keeps no content", async () => {
  const canary = newCanary();
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const requestLog = startRequestLog();

  await remove(await send(chatId, canary));
  await requestLog.stop();

  expect(await tablesWith(canary)).toEqual([]);
});

test("no content stays when messages are deleted while the request log is written", async () => {
  const canary = newCanary();
  const chatId = await createDirectChat(account, await createTestPhone(account));

  for (let round = 0; round < 25; round++) {
    const requestLog = startRequestLog();
    const ids = await Promise.all(Array.from({ length: 8 }, () => send(chatId, canary)));
    await Promise.all([requestLog.stop(), ...ids.map(remove)]);
  }

  expect(await prisma().apiRequest.count({ where: { chatId, status: 202 } })).toBe(200);
  expect(await tablesWith(canary)).toEqual([]);
});

test("the events of a message deleted while it is being sent hold no content", async () => {
  const canary = newCanary();
  const id = await send(await createDirectChat(account, await createTestPhone(account)), canary);
  const claimed = await new Claimer(32).claim(100);
  const was = claimed.find((message) => message.id === id);
  if (was === undefined) throw new Error("not claimed");

  await remove(id);
  const at = now();
  const stored = await storeAdvance({
    was,
    advance: advanceMessage(was, { type: "sent", at, service: "iMessage" }),
    attempt: was.attempt,
    dispatchAt: null,
    refs: [],
    groupRef: null,
    at,
  });

  expect(stored).toEqual({ chatHasMore: false });
  expect((await eventsOfMessage(account, id)).map(({ type }) => type)).toEqual(["message.sent"]);
  expect(await tablesWith(canary)).toEqual([]);
});

test("the filenames of stickers and the votes of a poll go with their message", async () => {
  const phone = await createTestPhone(account);
  const { messageId, chatId } = await writeAs(account, phone, { to: account.line, text: "hello" });
  const filename = `${newCanary()}.png`;
  const data = (await sampleImage("png")).toString("base64");
  const sticker = { type: "media", data, filename };
  const { token } = account;
  const reacted = await callApi(`POST /simulator/phones/${phone}/reactions`, {
    token,
    body: { message_id: messageId, type: "sticker", sticker },
  });
  expect(reacted.status).toBe(201);
  expect(await tablesWith(filename)).toEqual(expect.arrayContaining(["events", "reactions"]));

  await remove(messageId);

  expect(await tablesWith(filename)).not.toContain("events");
  expect(await tablesWith(filename)).not.toContain("reactions");

  const poll = { options: [{ text: "Friday" }, { text: "Saturday" }] };
  const sent = await callApi(`POST /v3/chats/${chatId}/polls`, { token, body: { poll } });
  const pollId = sent.body.message_id;
  const [option] = sent.body.poll.options;
  await sql.runText({
    text: `insert into poll_votes (account_id, message_id, option_id, participant_id, voted_at)
           select account_id, message_id, id, participant_id, created_at from poll_options where id = $1`,
    values: [option.option_id],
  });

  await remove(pollId);

  const left = await sql.runText({
    text: "select 1 from poll_votes where message_id = $1",
    values: [pollId],
  });
  expect(left).toEqual([]);
});
