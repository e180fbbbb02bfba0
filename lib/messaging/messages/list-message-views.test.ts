import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { listMessageViews } from "@/lib/messaging/messages/list-message-views";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone, untilStatus, writeAs } from "@/lib/testing/factories";

let account: TestAccount;
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
  running.push(startDispatch());
}

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });

async function timelineOf(chatId: string) {
  const query = { limit: 50 };
  return (await listMessageViews(account.context(), { params: { chatId }, query })).messages;
}

async function sendPoll(chatId: string, texts: readonly string[]) {
  const { body } = await call(`POST /v3/chats/${chatId}/polls`, {
    poll: { options: texts.map((text) => ({ text })) },
  });
  return body;
}

test("an edited message shows what it said before, oldest first", async () => {
  const phone = await createTestPhone(account);
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, text: "one" });
  for (const text of ["two", "three"]) {
    await call(`POST /simulator/phones/${phone}/edits`, { message_id: messageId, text });
  }

  const [shown] = await timelineOf(chatId);

  expect(shown).toMatchObject({
    kind: "content",
    parts: [{ value: "three" }],
    edits: [
      { part_index: 0, text: "one" },
      { part_index: 0, text: "two" },
    ],
    poll: null,
    duration_ms: null,
  });
});

test("a poll shows its options, who voted, and the stickers on it", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const { message_id, poll } = await sendPoll(chatId, ["Friday", "Saturday"]);
  start();
  await untilStatus(account, message_id, "delivered");
  const option_id = poll.options[1].option_id;
  await call(`POST /simulator/phones/${phone}/votes`, { message_id, option_id });
  const sticker = { message_id, type: "sticker", custom_emoji: "🎉" };
  expect((await call(`POST /simulator/phones/${phone}/reactions`, sticker)).status).toBe(201);

  const [shown] = await timelineOf(chatId);

  expect(shown).toMatchObject({
    id: message_id,
    kind: "poll",
    parts: [],
    poll: {
      total_voters: 1,
      options: [
        { text: "Friday", voters: [] },
        { text: "Saturday", voters: [{ handle: phone }] },
      ],
      reactions: [{ type: "sticker", custom_emoji: "🎉", handle: { handle: phone } }],
    },
  });
});

test("a sticker is distinguished from an image by the position of its part", async () => {
  const phone = await createTestPhone(account);
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const parts = [
    { type: "text", value: "look" },
    { type: "media", data, filename: "cat.png", sticker: true },
  ];
  const image = [{ type: "media", data, filename: "cat.png" }];
  const path = `POST /simulator/phones/${phone}/messages` as const;
  const { body } = await call(path, { to: account.line, parts });
  await call(path, { to: account.line, parts: image });

  const shown = await timelineOf(body.chat_id);

  expect(shown.map(({ sticker_parts }) => sticker_parts)).toEqual([[], [1]]);
});

test("a page takes as many statements for one message as for many", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await sendPoll(chatId, ["a", "b"]);
  const one = await countStatements(() => timelineOf(chatId));
  for (let more = 0; more < 5; more++) await sendPoll(chatId, ["a", "b"]);

  expect(await countStatements(() => timelineOf(chatId))).toBe(one);
});

test("a card that updates another names it, and other messages name none", async () => {
  start();
  const { chatId } = await writeAs(account, await createTestPhone(account), { to: account.line, text: "hi" });
  const app = { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" };
  const card = { layout: { caption: "Your move" }, url: "https://game.example/1" };
  const { body } = await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "imessage_app", app, ...card }] },
  });
  const cardId: string = body.message.id;
  await untilStatus(account, cardId, "delivered");
  const update = await call(`POST /v3/messages/${cardId}/update`, card);
  expect(update.status).toBe(202);
  expect((await timelineOf(chatId)).map(({ replaces }) => replaces)).toEqual([cardId, null, null]);
});

test("a page around a message continues in both directions, without a gap or a repeat", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const ids: string[] = [];
  for (let n = 0; n < 45; n++) {
    ids.push((await writeAs(account, phone, { to: account.line, text: `text ${n}` })).messageId);
  }
  const read = (query: object) =>
    listMessageViews(account.context(), { params: { chatId }, query: { limit: 10, ...query } });
  const idsOf = ({ messages }: Awaited<ReturnType<typeof read>>) => messages.map(({ id }) => id);
  const [target = ""] = ids.slice(15, 16);

  const around = await read({ around: target });
  expect(idsOf(around)).toEqual(ids.slice(6, 36).toReversed());
  const newer = await read({ newer: around.newer_cursor });
  expect(idsOf(newer)).toEqual(ids.slice(36).toReversed());
  expect(newer.newer_cursor).toBeNull();
  expect(idsOf(await read({ cursor: around.next_cursor })).slice(0, 6)).toEqual(ids.slice(0, 6).toReversed());
  // A timeline that is fetched again reads its pages from the newest on.
  expect(idsOf(await read({ cursor: newer.next_cursor }))).toEqual(ids.slice(26, 36).toReversed());

  const unknown = await read({ around: "019ca9c2-4c03-7d64-bc33-5e9f40718293" });
  expect([idsOf(unknown), unknown.newer_cursor]).toEqual([ids.slice(35).toReversed(), null]);
});
