import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, untilStatus, writeAs } from "@/lib/testing/factories";
import { createTestGroup, untilDone } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

async function inbox(phone: string, query = "") {
  const { status, body } = await call(`GET /simulator/phones/${phone}/messages${query}`);
  expect(status).toBe(200);
  return body;
}

async function send(chatId: string, value: string, more: object = {}): Promise<string> {
  const message = { parts: [{ type: "text", value }], ...more };
  const { status, body } = await call(`POST /v3/chats/${chatId}/messages`, { message });
  expect(status).toBe(202);
  return body.message.id;
}

test("a phone shows what it got as it is now: edited, reacted to, delivered and read", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const id = await send(chatId, "se you", { effect: { type: "screen", name: "confetti" } });
  await untilStatus(account, id, "delivered");
  for (const text of ["see you", "see you at ten"]) {
    expect((await call(`PATCH /v3/messages/${id}`, { text })).status).toBe(200);
  }
  for (const type of ["like", "love"]) {
    await call(`POST /v3/messages/${id}/reactions`, { operation: "add", type });
  }
  await call(`POST /v3/messages/${id}/reactions`, { operation: "add", type: "sticker", emoji: "🎉" });
  await call(`POST /simulator/phones/${phone}/read`, { chat_id: chatId });
  await untilStatus(account, id, "read");
  await untilDone(chatId);
  await until(async () => (await inbox(phone)).messages[0].read_at !== null);

  const { messages, next_cursor } = await inbox(phone);
  expect(next_cursor).toBeNull();
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatchObject({
    id,
    message_id: id,
    chat_id: chatId,
    from: account.line,
    line: account.line,
    group: null,
    service: "iMessage",
    parts: [{ type: "text", value: "see you at ten" }],
    effect: { type: "screen", name: "confetti" },
    edits: [{ text: "see you" }, { text: "see you at ten" }],
    delivered_at: expect.any(String),
    read_at: expect.any(String),
  });
  expect(messages[0].reactions).toMatchObject([
    { part_index: 0, type: "love" },
    { part_index: 0, type: "sticker", emoji: "🎉", placement: { x: 0, y: 0 } },
  ]);
  expect(messages[1]).toMatchObject({ from: phone, chat_id: chatId, parts: [{ value: "hello" }] });
});

test("a reaction that was taken back, and a sticker that was moved, are shown so", async () => {
  const phone = await createTestPhone(account);
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, text: "hello" });
  const react = (body: object) => call(`POST /v3/messages/${messageId}/reactions`, body);
  await react({ operation: "add", type: "laugh" });
  await react({ operation: "remove", type: "laugh" });
  await react({ operation: "add", type: "sticker", emoji: "🦊" });
  const { body } = await call(`GET /v3/messages/${messageId}`);
  const [sticker] = body.parts[0].reactions;
  await call(`PATCH /v3/messages/${messageId}/reactions/${sticker.id}`, { placement: { x: 0.5 } });
  await untilDone(chatId);

  const [shown] = (await inbox(phone)).messages;
  expect(shown.message_id).toBe(messageId);
  expect(shown.reactions).toMatchObject([{ type: "sticker", emoji: "🦊", placement: { x: 0.5 } }]);
});

test("typing, reading, names, members and cards are its activity, newest first, in the words of the API", async () => {
  const { chatId, phones, first } = await createTestGroup(account, 4);
  const phone = await createTestPhone(account);
  const direct = await createDirectChat(account, phone);
  await call(`POST /v3/chats/${direct}/typing`);
  await untilDone(direct);
  await call(`DELETE /v3/chats/${direct}/typing`);
  await call(`POST /v3/chats/${direct}/read`);
  await untilDone(direct);
  await call(`PUT /v3/chats/${chatId}`, { display_name: "Friday dinner" });
  await call(`DELETE /v3/chats/${chatId}/participants`, { handle: phones[3] });
  await untilDone(chatId);

  const emitted = (await inbox(phone)).activity;
  expect(emitted.map(({ action }: { action: string }) => action)).toEqual(["read", "typing", "typing"]);
  expect(emitted[2]).toMatchObject({ line: account.line, group: null, detail: { is_on: true } });
  const inGroup = (await inbox(first)).activity;
  expect(inGroup).toMatchObject([
    { action: "remove_participant", detail: { handle: phones[3] }, group: expect.any(String) },
    { action: "set_name", detail: { name: "Friday dinner" } },
  ]);
});

test("pages follow each other without a repeat, to the first message", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) ids.push(await send(chatId, `message ${made}`));
  // A message is on the phone before its reference is stored.
  await until(async () => {
    const { messages } = await inbox(phone);
    return (
      messages.length === 6 && messages.every((message: { message_id: string | null }) => message.message_id)
    );
  });

  const seen: string[] = [];
  let cursor = "";
  for (let pages = 0; pages < 9; pages++) {
    const page = await inbox(phone, `?limit=2${cursor}`);
    seen.push(...page.messages.map(({ message_id }: { message_id: string }) => message_id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(seen).toHaveLength(6);
  expect(new Set(seen).size).toBe(6);
  expect(seen.slice(0, 5).toSorted()).toEqual(ids.toSorted());
});

test("the phones of other accounts, and phones of production accounts, are not shown", async () => {
  const phone = await createTestPhone(account);
  const other = await createTestAccount({ type: "sandbox" });
  const production = await createTestAccount({ type: "production" });
  const look = (token: string) => callApi(`GET /simulator/phones/${phone}/messages`, { token });
  expect((await look(other.token)).body.error.code).toBe(1005);
  expect((await look(production.token)).body.error.code).toBe(2011);
  expect((await call(`GET /simulator/phones/${phone}/messages?cursor=x`)).body.error.code).toBe(1005);
});
