import { createHmac } from "node:crypto";
import LinqAPIV3 from "@linqapp/sdk";
import { expect, test } from "@playwright/test";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { firstRun } from "./test-instance";

function newClient(token = firstRun().token, baseURL = firstRun().base_url) {
  return new LinqAPIV3({ apiKey: token, baseURL, maxRetries: 0 });
}

function text(value: string) {
  return { parts: [{ type: "text" as const, value }] };
}

test("the official client runs a conversation from create to delete, with signed webhooks", async () => {
  const { line, phone, base_url, token } = firstRun();
  const client = newClient();
  const receiver = await startReceiver();
  const subscription = await client.webhookSubscriptions.create({
    target_url: receiver.url,
    subscribed_events: ["message.sent", "message.delivered", "message.read", "message.received"],
  });

  const { chat } = await client.chats.create({ from: line, to: [phone], message: text("Hello") });
  const sent = await receiver.next("message.sent", (event) => event.data.id === chat.message.id);
  const delivered = await receiver.next("message.delivered", (event) => event.data.id === chat.message.id);
  expect(chat.message.delivery_status).toBe("pending");
  expect(delivered.event.data).toMatchObject({ direction: "outbound", service: "iMessage" });

  await fetch(`${base_url}/simulator/phones/${phone}/read`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ chat_id: chat.id }),
  });
  await receiver.next("message.read", (event) => event.data.id === chat.message.id);
  const read = await client.messages.retrieve(chat.message.id);
  expect(read.delivery_status).toBe("read");

  await fetch(`${base_url}/simulator/phones/${encodeURIComponent(phone)}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ to: chat.id, text: "Hi there" }),
  });
  const answer = await receiver.next("message.received", (event) =>
    JSON.stringify(event.data.parts).includes("Hi there"),
  );

  for (const { body, headers } of [sent, delivered, answer]) {
    const key = subscription.signing_secret;
    expect(client.webhooks.unwrap(body, { headers, key })).toMatchObject({ api_version: "v3" });
    expect(() => client.webhooks.unwrap(body.replace("v3", "v4"), { headers, key })).toThrow();
    const legacy = createHmac("sha256", key)
      .update(`${headers["x-webhook-timestamp"]}.${body}`)
      .digest("hex");
    expect(headers["x-webhook-signature"]).toBe(legacy);
  }

  await client.messages.delete(chat.message.id);
  await expect(client.messages.retrieve(chat.message.id)).rejects.toMatchObject({ status: 404 });
  await client.webhookSubscriptions.delete(subscription.id);
  await receiver.close();
});

test("the client's lists load their pages by themselves, each message once, newest first", async () => {
  const { line, phone } = firstRun();
  const client = newClient();
  const { chat } = await client.chats.create({ from: line, to: [phone], message: text("page 0") });
  const ids: string[] = [chat.message.id];
  for (let index = 1; index <= 6; index++) {
    const { message } = await client.chats.messages.send(chat.id, { message: text(`page ${index}`) });
    ids.push(message.id);
  }

  const walked: string[] = [];
  for await (const message of client.chats.messages.list(chat.id, { limit: 3 })) walked.push(message.id);

  expect(new Set(walked).size).toBe(walked.length);
  expect(walked.filter((id) => ids.includes(id))).toEqual(ids.toReversed());

  const chats: string[] = [];
  for await (const listed of client.chats.listChats({ from: line, limit: 1 })) chats.push(listed.id);
  expect(chats).toContain(chat.id);
  expect(new Set(chats).size).toBe(chats.length);
});

test("the alias under /api/partner answers the same", async () => {
  const client = newClient(undefined, `${firstRun().base_url}/api/partner`);
  const { phone_numbers: lines } = await client.phoneNumbers.list();
  expect(lines.map((line) => line.phone_number)).toContain(firstRun().line);
});

test("one hundred concurrent sends with one idempotency key make one message", async () => {
  const { line, phone } = firstRun();
  const client = newClient();
  const { chat } = await client.chats.create({ from: line, to: [phone], message: text("once") });
  const key = `race-${Date.now()}`;

  const sends = await Promise.all(
    Array.from({ length: 100 }, () =>
      client.chats.messages.send(chat.id, { message: { ...text("only once"), idempotency_key: key } }),
    ),
  );

  expect(new Set(sends.map(({ message }) => message.id)).size).toBe(1);
});

test("a wrong token is 401 with the error's code and page", async () => {
  const error = await newClient("tl_sandbox_wrong")
    .phoneNumbers.list()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(LinqAPIV3.AuthenticationError);
  expect(error.error.error.code).toBe(2004);
  expect((await fetch(error.error.error.doc_url)).status).toBe(200);
});
