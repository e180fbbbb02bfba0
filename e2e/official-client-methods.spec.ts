import LinqAPIV3 from "@linqapp/sdk";
import { expect, test } from "@playwright/test";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { clientMethods, clientTypeChecker } from "./client-types";
import { firstRun } from "./test-instance";

const { base_url, token, line } = firstRun();
const client = new LinqAPIV3({ apiKey: token, baseURL: base_url, maxRetries: 0 });
const types = clientTypeChecker();
const answerTypes = new Map(clientMethods().map(({ name, answers }) => [name, answers]));
const driven = new Set<string>();

/** Calls one method and checks its response against the client's own type. */
async function checkMethod<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
  const answer = await call();
  driven.add(name);
  checkType(name, answer);
  return answer;
}

/** Like `drive`, for a paged method: checks each item. */
async function checkPages<Item>(name: string, pages: AsyncIterable<Item>, most = 25): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) {
    checkType(name, item);
    if (items.push(item) === most) break;
  }
  driven.add(name);
  expect(items.length).toBeGreaterThan(0);
  return items;
}

function checkType(name: string, answer: unknown): void {
  const type = answerTypes.get(name);
  if (type === undefined) throw new Error(`the client has no method ${name}`);
  if (type === null) expect(answer ?? null, name).toBeNull();
  else expect(types(type, answer), name).toBeNull();
}

async function simulate(method: string, path: string, body: object, as = token) {
  const response = await fetch(`${base_url}/simulator/${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return response.json();
}

let made = 0;
const run = Date.now() % 100_000;

/** Creates a simulated iPhone that has written to a line of an account, which a sandbox requires. */
async function newPhone(to = line, as = token): Promise<{ handle: string; chatId: string }> {
  const handle = `+1777${String(run).padStart(5, "0")}${String(++made).padStart(2, "0")}`;
  await simulate("POST", "phones", { handle, delay_ms: 0 }, as);
  const { chat_id } = await simulate("POST", `phones/${handle}/messages`, { to, text: "hello" }, as);
  return { handle, chatId: chat_id };
}

function text(value: string) {
  return { parts: [{ type: "text" as const, value }] };
}

async function untilDelivered(messageId: string) {
  await expect
    .poll(async () => (await client.messages.retrieve(messageId)).delivery_status)
    .toMatch(/delivered|read/);
}

test.describe.configure({ mode: "serial" });

test("chats and messages", async () => {
  const phone = await newPhone();
  const { chat } = await checkMethod("chats.create", () =>
    client.chats.create({ from: line, to: [phone.handle], message: text("Hello") }),
  );
  await checkMethod("chats.retrieve", () => client.chats.retrieve(chat.id));
  await checkPages("chats.listChats", client.chats.listChats({ from: line, limit: 5 }));
  const { message } = await checkMethod("chats.messages.send", () =>
    client.chats.messages.send(chat.id, {
      message: {
        parts: [{ type: "text", value: "Big news 🎉", text_decorations: [{ range: [0, 3], style: "bold" }] }],
        effect: { type: "screen", name: "confetti" },
        reply_to: { message_id: chat.message.id },
      },
    }),
  );
  await untilDelivered(message.id);
  await checkMethod("messages.addReaction", () =>
    client.messages.addReaction(message.id, { operation: "add", type: "custom", custom_emoji: "🎉" }),
  );
  await simulate("POST", `phones/${phone.handle}/reactions`, { message_id: message.id, type: "love" });
  await checkMethod("messages.update", () => client.messages.update(message.id, { text: "Bigger news" }));
  await checkMethod("messages.retrieve", () => client.messages.retrieve(message.id));
  await checkPages(
    "messages.listMessagesThread",
    client.messages.listMessagesThread(chat.message.id, { order: "desc" }),
  );
  await checkPages("chats.messages.list", client.chats.messages.list(chat.id, { limit: 2 }));
  await checkMethod("messages.create", () =>
    client.messages.create({
      to: [phone.handle],
      message: text("From the best line"),
      "Idempotency-Key": `k-${run}`,
    }),
  );
  await checkMethod("messages.delete", () => client.messages.delete(message.id));
});

test("cards of an app, and the card of the line", async () => {
  const phone = await newPhone();
  const app = { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" };
  const { message } = await client.chats.messages.send(phone.chatId, {
    message: {
      parts: [{ type: "imessage_app", app, layout: { caption: "Your move" }, url: "https://example.com" }],
    },
  });
  await untilDelivered(message.id);
  await checkMethod("messages.updateAppCard", () =>
    client.messages.updateAppCard(message.id, { layout: { caption: "Their move" } }),
  );
  await checkPages("chats.messages.list", client.chats.messages.list(phone.chatId));

  // Other tests give the demo's lines cards and take them away.
  const account = await simulate("POST", "accounts", { name: "Contact card", lines: 1 });
  const owner = new LinqAPIV3({ apiKey: account.token, baseURL: base_url, maxRetries: 0 });
  const { contactCard } = owner;
  const [phone_number = ""] = account.lines;
  await checkMethod("contactCard.create", () => contactCard.create({ phone_number, first_name: "Harbor" }));
  await checkMethod("contactCard.update", () => contactCard.update({ phone_number, last_name: "Kitchen" }));
  await checkMethod("contactCard.retrieve", () => contactCard.retrieve({ phone_number }));
  const { chatId } = await newPhone(phone_number, account.token);
  await checkMethod("chats.shareContactCard", () => owner.chats.shareContactCard(chatId));
});

test("presence and groups", async () => {
  const phones = [await newPhone(), await newPhone(), await newPhone(), await newPhone()];
  const [first, second, third, fourth] = phones.map(({ handle }) => handle) as [
    string,
    string,
    string,
    string,
  ];
  const { chatId: direct = "" } = phones[0] ?? {};
  await checkMethod("chats.markAsRead", () => client.chats.markAsRead(direct));
  await checkMethod("chats.typing.start", () => client.chats.typing.start(direct));
  await checkMethod("chats.typing.stop", () => client.chats.typing.stop(direct));

  const { chat } = await checkMethod("chats.create", () =>
    client.chats.create({ from: line, to: [first, second, third], message: text("Hello all") }),
  );
  await untilSent(chat.message.id);
  await checkMethod("chats.participants.add", () =>
    client.chats.participants.add(chat.id, { handle: fourth }),
  );
  await expect.poll(() => statusOf(chat.id, fourth)).toBe("active");
  await checkMethod("chats.participants.remove", () =>
    client.chats.participants.remove(chat.id, { handle: fourth }),
  );
  await expect.poll(() => statusOf(chat.id, fourth)).toBe("removed");
  await checkMethod("chats.update", () => client.chats.update(chat.id, { display_name: "Friday dinner" }));
  await expect.poll(async () => (await client.chats.retrieve(chat.id)).display_name).toBe("Friday dinner");
  await checkMethod("chats.retrieve", () => client.chats.retrieve(chat.id));
  await checkMethod("chats.leaveChat", () => client.chats.leaveChat(chat.id));
});

async function untilSent(messageId: string) {
  await expect
    .poll(async () => (await client.messages.retrieve(messageId)).delivery_status)
    .not.toMatch(/pending|queued/);
}

async function statusOf(chatId: string, handle: string) {
  const { handles } = await client.chats.retrieve(chatId);
  return handles.find((known) => known.handle === handle)?.status;
}

test("files", async () => {
  const phone = await newPhone();
  const bytes = Buffer.from("name,price\nCafé,3\n");
  const file = await checkMethod("attachments.create", () =>
    client.attachments.create({ filename: "menu.csv", content_type: "text/csv", size_bytes: bytes.length }),
  );
  const { upload_url, required_headers, http_method } = file;
  const uploaded = await fetch(upload_url, { method: http_method, headers: required_headers, body: bytes });
  expect(uploaded.status).toBe(200);
  await checkMethod("attachments.retrieve", () => client.attachments.retrieve(file.attachment_id));
  await client.chats.messages.send(phone.chatId, {
    message: { parts: [{ type: "media", attachment_id: file.attachment_id }] },
  });
  await checkPages("chats.messages.list", client.chats.messages.list(phone.chatId));
  await checkMethod("attachments.delete", () => client.attachments.delete(file.attachment_id));
});

test("lines, what a recipient can do, and webhooks", async () => {
  const phone = await newPhone();
  await checkMethod("capability.checkIMessage", () =>
    client.capability.checkIMessage({ address: phone.handle }),
  );
  const { phone_numbers } = await checkMethod("phoneNumbers.list", () => client.phoneNumbers.list());
  await checkMethod("phonenumbers.list", () => client.phonenumbers.list());
  const id = phone_numbers.find(({ phone_number }) => phone_number === line)?.id ?? "";
  await checkMethod("phoneNumbers.update", () =>
    client.phoneNumbers.update(id, { forwarding_number: "+15550004001" }),
  );
  await client.phoneNumbers.update(id, { forwarding_number: null });
  await checkMethod("availableNumber.retrieve", () =>
    client.availableNumber.retrieve({ to: [phone.handle] }),
  );

  await checkMethod("webhookEvents.list", () => client.webhookEvents.list());
  const receiver = await startReceiver();
  const subscription = await checkMethod("webhookSubscriptions.create", () =>
    client.webhookSubscriptions.create({ target_url: receiver.url, subscribed_events: ["message.sent"] }),
  );
  await checkMethod("webhookSubscriptions.list", () => client.webhookSubscriptions.list());
  await checkMethod("webhookSubscriptions.retrieve", () =>
    client.webhookSubscriptions.retrieve(subscription.id),
  );
  await checkMethod("webhookSubscriptions.update", () =>
    client.webhookSubscriptions.update(subscription.id, {
      subscribed_events: ["message.sent", "message.delivered"],
    }),
  );
  const { message } = await client.chats.messages.send(phone.chatId, { message: text("signed") });
  const { body, headers } = await receiver.next("message.sent", (event) => event.data.id === message.id);
  await checkMethod("webhooks.unwrap", async () =>
    client.webhooks.unwrap(body, { headers, key: subscription.signing_secret }),
  );
  await checkMethod("webhookSubscriptions.delete", () => client.webhookSubscriptions.delete(subscription.id));
  await receiver.close();

  // Only one check is allowed in ten seconds, so the client waits before the second one.
  const patient = { maxRetries: 1 };
  await checkMethod("capability.checkRCS", () =>
    client.capability.checkRCS({ address: phone.handle }, patient),
  );
});

test("locations", async () => {
  const { handle, chatId } = await newPhone();
  await checkMethod("chats.location.request", () => client.chats.location.request(chatId));
  await simulate("POST", `phones/${handle}/location`, {
    to: chatId,
    position: { longitude: 13.4, latitude: 52.5, locality: "Berlin" },
  });
  const { data } = await checkMethod("chats.location.retrieve", () => client.chats.location.retrieve(chatId));
  expect(data.features).toHaveLength(1);
});

test("voice memos", async () => {
  const { chatId } = await newPhone();
  const bytes = Buffer.concat([
    Buffer.from("\0\0\0\x18ftypM4A \0\0\0\0M4A mp42", "latin1"),
    Buffer.alloc(64),
  ]);
  const file = await client.attachments.create({
    filename: "memo.m4a",
    content_type: "audio/x-m4a",
    size_bytes: bytes.length,
  });
  await fetch(file.upload_url, { method: "PUT", headers: file.required_headers, body: bytes });
  await checkMethod("chats.sendVoicememo", () =>
    client.chats.sendVoicememo(chatId, { attachment_id: file.attachment_id }),
  );
});

test("no method of the client was left out", () => {
  expect([...driven].sort()).toEqual([...answerTypes.keys()].sort());
});
