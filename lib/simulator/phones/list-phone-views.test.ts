import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as messages from "@/app/api/phones/[handle]/messages/route";
import * as phones from "@/app/api/phones/route";
import { sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { listPhoneViews } from "@/lib/simulator/phones/list-phone-views";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createTestGroup, untilDone } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

/** A PNG image of one pixel, in base64. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

async function chatsOf(handle: string, on = account): Promise<PhoneChat[]> {
  const { screens } = await listPhoneViews(on.context(), { query: { open: [handle] } });
  return screens[0]?.chats ?? [];
}

async function theChat(handle: string): Promise<PhoneChat> {
  const [chat] = await chatsOf(handle);
  if (chat === undefined) throw new Error(`${handle} has no conversation`);
  return chat;
}

const texts = (chat: PhoneChat) =>
  chat.messages.map(({ parts: [part] }) => part?.type === "text" && part.value);

test("a phone's screen shows what it sent and received, oldest first, until its user reads it", async () => {
  const phone = await createTestPhone(account, { name: "Ada" });
  const chatId = await createDirectChat(account, phone);
  const id = await acceptTestMessage(account, chatId, "welcome");
  await untilStatus(account, id, "delivered");

  const chat = await theChat(phone);
  expect(chat).toMatchObject({
    chat_id: chatId,
    line: account.line,
    is_group: false,
    is_open: true,
    unread: 1,
  });
  expect(texts(chat)).toEqual(["hello", "welcome"]);
  expect(chat.messages.map(({ is_mine }) => is_mine)).toEqual([true, false]);

  await call(`POST /simulator/phones/${phone}/read`, { chat_id: chatId });
  await untilStatus(account, id, "read");
  await until(async () => (await theChat(phone)).unread === 0);
});

test("reactions, edits, votes, typing and reading are on the screen", async () => {
  const phone = await createTestPhone(account);
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, text: "helo" });
  const path = `/simulator/phones/${phone}` as const;
  await call(`POST ${path}/edits`, { message_id: messageId, text: "hello" });
  await call(`POST /v3/messages/${messageId}/reactions`, { operation: "add", type: "love" });
  await call(`POST /v3/chats/${chatId}/typing`);
  await untilDone(chatId);
  await call(`POST /v3/chats/${chatId}/read`);
  await untilDone(chatId);

  const chat = await theChat(phone);
  expect(chat).toMatchObject({ is_typing: true, line_read_at: expect.any(String) });
  expect(chat.messages).toMatchObject([
    { is_edited: true, parts: [{ value: "hello", reactions: [{ type: "love", is_me: true }] }] },
  ]);

  const id = await acceptTestMessage(account, chatId, "done typing");
  await untilStatus(account, id, "delivered");
  expect((await theChat(phone)).is_typing).toBe(false);

  const poll = await writeAs(account, phone, {
    to: account.line,
    parts: [{ type: "poll", options: [{ text: "Friday" }, { text: "Saturday" }] }],
  });
  const options = (await theChat(phone)).messages.at(-1)?.poll?.options ?? [];
  await call(`POST ${path}/votes`, { message_id: poll.messageId, option_id: options[1]?.option_id });
  expect((await theChat(phone)).messages.at(-1)?.poll?.options).toMatchObject([
    { text: "Friday", voters: [] },
    { text: "Saturday", voters: [{ handle: phone }] },
  ]);
});

test("the location that a phone shares is on its screen with the line, until it stops or ends", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const path = `/simulator/phones/${phone}/location` as const;
  expect((await theChat(phone)).location).toBeNull();
  const position = { latitude: 37.8, longitude: -122.4, address: "1 Ferry Building" };
  await call(`POST ${path}`, { to: chatId, position, ends_in_seconds: 3600 });
  expect((await theChat(phone)).location).toEqual({
    ...position,
    locality: null,
    ends_at: expect.any(String),
  });
  await call(`PATCH ${path}`, { to: chatId, position: { latitude: 37.9, longitude: -122.5 } });
  expect((await theChat(phone)).location).toMatchObject({ latitude: 37.9, longitude: -122.5, address: null });

  const later = { ...account.context(), now: new Date(Date.now() + 3_600_001) };
  const { screens } = await listPhoneViews(later, { query: { open: [phone] } });
  expect(screens[0]?.chats[0]?.location).toBeNull();
  await call(`DELETE ${path}`, { to: chatId });
  expect((await theChat(phone)).location).toBeNull();
});

test("the icon of a group is on its members' screens until a member removes the icon", async () => {
  const { chatId, first, phones } = await createTestGroup(account, 2);
  expect((await theChat(first)).icon_url).toBeNull();
  const { messageId } = await writeAs(account, first, {
    to: chatId,
    parts: [{ type: "media", filename: "icon.png", data: PIXEL }],
  });
  const { body: message } = await call(`GET /v3/messages/${messageId}`);
  const group = `PUT /simulator/phones/${first}/group` as const;
  await call(group, { chat_id: chatId, icon: { attachment_id: message.parts[0].id } });
  for (const phone of phones) {
    expect((await theChat(phone)).icon_url).toMatch(/\/attachments\/partners\/.*\/icon\.png$/);
  }
  await call(group, { chat_id: chatId, icon: null });
  expect((await theChat(first)).icon_url).toBeNull();
});

test("the members of a group see each other's messages and names, and one who left is out", async () => {
  const { chatId, phones, first } = await createTestGroup(account, 3);
  const [, second = "", third = ""] = phones;
  await changeTestPhone(account, second, { name: "Grace" });
  await writeAs(account, second, { to: chatId, text: "hi from Grace" });

  for (const phone of [first, third]) {
    const chat = await theChat(phone);
    expect(texts(chat)).toEqual(["hello all", "hi from Grace"]);
    expect(chat.messages[1]).toMatchObject({ from: second, is_mine: false });
    expect(chat.members).toContainEqual({ handle: second, name: "Grace", is_line: false });
    expect(chat.members).toContainEqual({ handle: account.line, name: null, is_line: true });
    expect(chat).toMatchObject({ is_group: true, is_open: true });
  }
  await call(`POST /simulator/phones/${third}/leave`, { chat_id: chatId });
  expect((await theChat(third)).is_open).toBe(false);
});

test("a message that waits for a phone is not on its screen, and a message that a blocked phone wrote is", async () => {
  const offline = await createTestPhone(account);
  const chatId = await createDirectChat(account, offline);
  await changeTestPhone(account, offline, { connection: "airplane_mode" });
  await untilStatus(account, await acceptTestMessage(account, chatId, "later"), "sent");
  expect(texts(await theChat(offline))).toEqual(["hello"]);

  const blocked = await createTestPhone(account);
  await createDirectChat(account, blocked);
  expect((await call("POST /v3/blocked_handles", { handle: blocked })).status).toBeLessThan(300);
  await call(`POST /simulator/phones/${blocked}/messages`, { to: account.line, text: "anyone there?" });
  expect((await theChat(blocked)).messages.at(-1)).toMatchObject({
    message_id: null,
    parts: [{ value: "anyone there?" }],
  });
});

test("a message has its effect as soon as the phone has it, before Trunkline knows that it was sent", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const effect = { type: "screen", name: "confetti" };
  const { body } = await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "text", value: "Congratulations" }], effect },
  });
  await untilStatus(account, body.message.id, "delivered");
  expect((await theChat(phone)).messages.at(-1)).toMatchObject({ message_id: body.message.id, effect });

  await sql.runText({ text: "delete from transport_refs where message_id = $1", values: [body.message.id] });
  expect((await theChat(phone)).messages.at(-1)).toMatchObject({ message_id: null, effect });
});

test("a card that the network carried as text is shown as text", async () => {
  const phone = await createTestPhone(account, { platform: "sms_only" });
  const chatId = await createDirectChat(account, phone);
  const { status, body } = await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "link", value: "https://example.com/menu" }] },
  });
  expect(status).toBe(202);
  await untilStatus(account, body.message.id, "sent");
  await until(async () => (await theChat(phone)).messages.length === 2);

  expect((await theChat(phone)).messages[1]?.parts).toMatchObject([
    { type: "text", value: "https://example.com/menu" },
  ]);
});

test("a code is shown with the right to payments' payloads, and as dots without it", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await call(`POST /v3/payments/handles/${phone}/connect`, {});
  await until(async () => (await theChat(phone)).messages.length === 2);
  const latest = async (role: "developer" | "support") => {
    const actor = {
      type: "user",
      userId: chatId,
      name: "A person",
      email: "person@example.com",
      role,
    } as const;
    const { screens } = await listPhoneViews({ ...account.context(), actor }, { query: { open: [phone] } });
    return JSON.stringify(screens[0]?.chats[0]?.messages.at(-1)?.parts);
  };

  expect(await latest("developer")).toMatch(/\d{6} is your code/);
  expect(await latest("support")).not.toMatch(/\d{6}/);
});

test("another account's phones are not shown, and a production account has none", async () => {
  const phone = await createTestPhone(account);
  await createDirectChat(account, phone);
  const stranger = await createTestAccount({ type: "sandbox" });
  expect(await listPhoneViews(stranger.context(), { query: { open: [phone] } })).toMatchObject({
    phones: [],
    screens: [],
  });

  const mine = await listPhoneViews(account.context(), { query: { open: [] } });
  expect(mine.screens).toHaveLength(3);
  expect(mine.screens.map(({ handle }) => handle)).toContain(phone);

  const production = await createTestAccount({ type: "production" });
  await expect(listPhoneViews(production.context(), { query: { open: [] } })).rejects.toThrow("sandbox");
  const user = await signInAs(production, "admin");
  const calls = [
    await user.call(phones.GET),
    await user.call(messages.POST, {
      method: "POST",
      params: { handle: phone },
      body: { to: phone, text: "hi" },
    }),
  ];
  expect(calls.map(({ status, body }) => [status, body.error.code])).toEqual([
    [403, 2011],
    [403, 2011],
  ]);
});
