import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { listChatCustomers } from "@/lib/messaging/chats/list-chat-customers";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  other = await createTestAccount({ type: "production" });
});

async function createChat(owner: TestAccount, to: string[]): Promise<string> {
  const message = { parts: [{ type: "text", value: "hello" }] };
  const { body } = await callApi("POST /v3/chats", {
    token: owner.token,
    body: { from: owner.line, to, message },
  });
  return body.chat.id;
}

const customersOf = async (owner: TestAccount, chatIds: string[]) =>
  (await listChatCustomers({ account: owner.ref } as never, { query: { chat_ids: chatIds } })).chats;

test("the customer of a chat is the participant who is not the line; a group has others", async () => {
  const direct = await createChat(account, ["+15550102001"]);
  const group = await createChat(account, ["+15550102003", "+15550102002", "+15550102004"]);
  const chats = await customersOf(account, [direct, group]);
  expect(chats).toHaveLength(2);
  expect(chats).toContainEqual({ chat_id: direct, handle: "+15550102001", others: 0 });
  expect(chats).toContainEqual({
    chat_id: group,
    handle: expect.stringMatching(/^\+1555010200[234]$/),
    others: 2,
  });
});

test("who has left a group is not its customer", async () => {
  const group = await createChat(account, ["+15550102011", "+15550102012"]);
  await prisma().participant.updateMany({
    where: { chatId: group, handle: "+15550102011" },
    data: { leftAt: new Date(), status: "left" },
  });
  expect(await customersOf(account, [group])).toEqual([
    { chat_id: group, handle: "+15550102012", others: 0 },
  ]);
});

test("chats of another account, unknown ones and none have no customers", async () => {
  const foreign = await createChat(other, ["+15550102021"]);
  expect(await customersOf(account, [foreign, crypto.randomUUID()])).toEqual([]);
  expect(await customersOf(account, [])).toEqual([]);
});
