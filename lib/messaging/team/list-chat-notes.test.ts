import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import type { Queue } from "@/lib/platform/database/queue";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { changesOf, createTestGroup, membersOf, untilDone } from "@/lib/testing/test-chats";

let account: TestAccount;
let worker: Queue;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = startActions();
});

afterAll(() => worker.stop());

const call = (request: `${string} ${string}`, body?: object) =>
  callApi(request, { token: account.token, body });

test("members, names, icons and backgrounds are noted in their order", async () => {
  const { chatId, first } = await createTestGroup(account, 3);
  const newcomer = await createTestPhone(account);
  const change = async (request: `${string} ${string}`, body?: object) => {
    expect((await call(request, body)).status).toBe(202);
    await untilDone(chatId);
  };
  await change(`PUT /v3/chats/${chatId}`, { display_name: "Friday dinner" });
  await change(`POST /v3/chats/${chatId}/participants`, { handle: newcomer });
  await change(`DELETE /v3/chats/${chatId}/participants`, { handle: newcomer });
  await change(`POST /v3/chats/${chatId}/background`, { type: "color", variant: "lime" });
  await call(`POST /simulator/phones/${first}/leave`, { chat_id: chatId });

  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual([
    "Your line named the group “Friday dinner”",
    `${newcomer} joined`,
    `${newcomer} was removed`,
    "Your line changed the background",
    `${first} left`,
  ]);
});

test("the timeline reports an action that failed, and no partner event is named for it", async () => {
  await call(`PUT /simulator/lines/${encodeURIComponent(account.line)}`, { changes_fail: true });
  const { chatId, phones } = await createTestGroup(account, 4);
  const newcomer = await createTestPhone(account);
  for (const [request, body] of [
    [`POST /v3/chats/${chatId}/participants`, { handle: newcomer }],
    [`DELETE /v3/chats/${chatId}/participants`, { handle: phones[3] }],
    [`POST /v3/chats/${chatId}/leave`, undefined],
  ] as const) {
    expect((await call(request, body)).status).toBe(202);
    await untilDone(chatId);
  }

  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual([
    `${newcomer} could not be added (4001)`,
    `${phones[3]} could not be removed (4001)`,
    "The line could not leave the chat (4001)",
  ]);
  expect(await membersOf(account, chatId)).not.toHaveProperty([newcomer]);
  expect(Object.values(await membersOf(account, chatId))).not.toContain("removed");
  expect(await changesOf(account, chatId)).toEqual([]);
});

test("another account's chat is refused", async () => {
  const other = await createTestAccount({ type: "production" });
  const { chatId } = await other.sendFirst("+15550001111");
  await expect(listChatNotes(account.context(), { params: { chatId } })).rejects.toThrow("Access denied");
});

test("unread is what contacts wrote since the chat was read or answered", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const phone = await createTestPhone(own);
  const chatId = await createDirectChat(own, phone);
  const unread = async () => {
    const { conversations } = await listChatViews(own.context(), { query: { limit: 30 } });
    return conversations[0]?.unread;
  };
  await writeAs(own, phone, { to: own.line, text: "two" });
  expect(await unread()).toBe(2);
  await callApi(`POST /v3/chats/${chatId}/read`, { token: own.token });
  expect(await unread()).toBe(0);
  await writeAs(own, phone, { to: own.line, text: "three" });
  expect(await unread()).toBe(1);
  await acceptTestMessage(own, chatId);
  expect(await unread()).toBe(0);
});
