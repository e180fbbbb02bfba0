import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { getMessageView } from "@/lib/messaging/messages/get-message-view";
import { listMessageViews } from "@/lib/messaging/messages/list-message-views";
import { SendMessage } from "@/lib/messaging/sending/send-message";
import { sendMessageAsUser } from "@/lib/messaging/sending/send-message-as-user";
import type { Context, Role } from "@/lib/platform/context";
import { prisma, sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";

let account: TestAccount;
let other: TestAccount;
const chats: string[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  other = await createTestAccount({ type: "production" });
  for (const to of ["+14155550101", "+14155550102", "ada@example.com"]) {
    chats.push((await account.sendFirst(to)).chatId);
  }
});

function as(role: Role): Context {
  const actor = {
    type: "user",
    userId: newId(Date.now()),
    name: "Ada",
    email: "ada@example.com",
    role,
  } as const;
  return { ...account.context(), actor };
}

function page(query: { line_id?: string; search?: string; cursor?: string; limit?: number } = {}) {
  return listChatViews(as("viewer"), { query: { limit: 30, ...query } });
}

function text(value: string) {
  return SendMessage.body.parse({ message: { parts: [{ type: "text", value }] } });
}

test("the chat with the newest activity comes first, with its last message", async () => {
  const chatId = chats[0] ?? "";
  const sent = await sendMessageAsUser(as("support"), {
    params: { chatId },
    body: text("newest"),
  });
  await sql.runText({
    text: "update chats set last_activity_at = last_activity_at + interval '1 minute' where id = $1",
    values: [chatId],
  });

  const [first] = (await page()).conversations;

  expect(first?.chat.id).toBe(chatId);
  expect(first?.last_message).toMatchObject({ text: "newest", is_from_me: true });
  expect(sent.chat_id).toBe(chatId);
});

test.each([
  ["a part of a number", "0102", 1],
  ["a number with formatting", "(415) 555-0101", 1],
  ["what two have in common", "1415555", 2],
  ["an email in capitals", "ADA@", 1],
  ["no contact", "999999", 0],
  ["our own line, which is in every chat", "LINE", 0],
])("search finds %s", async (_, search, found) => {
  const { conversations } = await page({ search: search === "LINE" ? account.line : search });

  expect(conversations).toHaveLength(found);
});

test("pages follow each other without a repeat, and a filter by line holds", async () => {
  const first = await page({ limit: 2 });
  const second = await page({ limit: 2, cursor: first.next_cursor ?? "" });

  const ids = [...first.conversations, ...second.conversations].map(({ chat }) => chat.id);
  expect(ids.toSorted()).toEqual(chats.toSorted());
  expect(second.next_cursor).toBeNull();
  expect((await page({ line_id: newId(Date.now()) })).conversations).toEqual([]);
});

test("unread messages are counted up to the last one that the account sent or marked read, and others are not read", async () => {
  const chatId = chats[1] ?? "";
  const [line] = await prisma().chat.findMany({ where: { id: chatId }, select: { lineId: true } });
  const sender = await prisma().participant.findFirstOrThrow({ where: { chatId, isMe: false } });
  const add = (count: number, isFromMe: boolean) =>
    sql.runText({
      text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
               created_at, updated_at)
             select $1, uuidv7(), $2, $3, $4, $6, '[]', 'received', '', now(), now() from generate_series(1, $5::int)`,
      values: [account.ref.id, chatId, line?.lineId, sender.id, count, isFromMe],
    });
  const unread = async () => (await page()).conversations.find(({ chat }) => chat.id === chatId)?.unread;
  const messagesRead = async () =>
    (await explainStatements(() => page()))
      .filter(({ on }) => on === "messages")
      .reduce((sum, { rows }) => sum + rows, 0);

  await add(300, true);
  await sql.runText({ text: "analyze messages" });
  expect(await unread()).toBe(0);
  const read = await messagesRead();
  // Two for each chat: the newest one is shown, and it is also the last one that the account sent.
  expect(read).toBeLessThan(10);
  await add(5, false);
  expect(await unread()).toBe(5);
  expect(await messagesRead()).toBeLessThan(25);

  await sql.runText({
    text: `update chats set read_up_to = (
             select id from messages where chat_id = $1 order by position desc offset 1 limit 1) where id = $1`,
    values: [chatId],
  });
  expect(await unread()).toBe(1);
  await add(200, false);
  expect(await unread()).toBe(100);
  await add(1, true);
  expect(await unread()).toBe(0);
});

test("another account sees none of it", async () => {
  const theirs = await listChatViews(other.context(), { query: { limit: 30 } });

  expect(theirs.conversations).toEqual([]);
  await expect(
    listMessageViews(other.context(), {
      params: { chatId: chats[0] ?? "" },
      query: { limit: 50 },
    }),
  ).rejects.toMatchObject({ errorName: "access_denied" });
});

test("the audit log names the person who sent a message from the dashboard", async () => {
  const ctx = as("support");
  const params = { chatId: chats[1] ?? "" };
  const { message } = await sendMessageAsUser(ctx, { params, body: text("on record") });

  const entry = await prisma().auditEntry.findFirstOrThrow({ where: { objectId: message.id } });

  const sender = ctx.actor.type === "user" ? ctx.actor.userId : null;
  expect(entry).toMatchObject({ action: "message.sent", actorType: "user", actorId: sender });
});

test("a failed message says why, what to do, and where it is documented", async () => {
  const { chatId, messageId } = await account.sendFirst("+14155550199");
  await sql.runText({
    text: `update messages set delivery_status = 'failed', failure_code = 4001, failure_reason = 'No such number'
           where id = $1`,
    values: [messageId],
  });

  const shown = await getMessageView(as("viewer"), {
    params: { chatId, messageId },
  });

  expect(shown.failure).toMatchObject({
    code: 4001,
    reason: "No such number",
    doc_url: expect.stringMatching(/\/docs\/error\/codes\/4xxx\/4001\/$/),
  });
  expect(shown.failure?.advice).toContain("recipient");
  expect(shown.trace_id).toMatch(/^[0-9a-f]{32}$/);
});

test("a card is summarized by its text", async () => {
  const sandbox = await createTestAccount({ type: "sandbox" });
  const chatId = await createDirectChat(sandbox, await createTestPhone(sandbox));
  const params = { url: "https://menu.example", title: "Menu of today" };
  const experience = { name: "link", action: "open", params };
  await acceptTestMessage(sandbox, chatId, "", { parts: undefined, experience });
  const { conversations } = await listChatViews(sandbox.context(), { query: { limit: 30 } });
  expect(conversations.map(({ last_message }) => last_message?.text)).toEqual(["Menu of today"]);
});
