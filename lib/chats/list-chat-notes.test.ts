import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { startActions } from "@/lib/actions/perform-actions";
import { listChatNotes } from "@/lib/chats/list-chat-notes";
import { listConversations } from "@/lib/chats/list-conversations";
import type { Queue } from "@/lib/platform/queue";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { createTestGroup, untilDone } from "@/lib/testing/test-chats";

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

test("what could not be done says so", async () => {
  await call(`PUT /simulator/lines/${encodeURIComponent(account.line)}`, { changes_fail: true });
  const { chatId } = await createTestGroup(account, 3);
  await call(`POST /v3/chats/${chatId}/leave`);
  await untilDone(chatId);
  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual(["The line could not leave: it is still in the chat (4001)"]);
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
    const { conversations } = await listConversations(own.context(), { query: { limit: 30 } });
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
