import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { prisma, sql } from "@/lib/platform/database/db";
import {
  exportBlockedHandles,
  listBlockedHandleViews,
} from "@/lib/recipients/blocks/list-blocked-handle-views";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { writeFromPhone } from "@/lib/simulator/phone-actions/write-from-phone";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  advanceClock,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  readAs,
  readMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";

let account: TestAccount;
let phone: string;
let chatId: string;
let running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

const call = (method: string, body?: object) =>
  callApi(`${method} /v3/blocked_handles`, { token: account.token, ...(body && { body }) });

const send = (chat: string) =>
  callApi(`POST /v3/chats/${chat}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: "hello" }] } },
  });

describe("a blocked handle", () => {
  test("gets no direct sends, and what it writes is dropped without a webhook, until it is unblocked", async () => {
    const { status, body } = await call("POST", { handle: phone, reason: "abusive" });
    expect(status).toBe(200);
    expect(body.blocked_handle).toMatchObject({ handle: phone, reason: "abusive" });
    expect((await call("GET")).body.blocked_handles).toEqual([body.blocked_handle]);

    expect((await send(chatId)).body.error.code).toBe(2026);
    const events = () => prisma().event.count({ where: { accountId: account.ref.id } });
    const before = await events();
    const dropped = await writeFromPhone(account.context(), phone, { to: account.line, text: "hey" });
    expect(dropped.message_id).toBeNull();
    expect(await events()).toBe(before);

    expect((await call("DELETE", { handle: phone })).status).toBe(204);
    expect((await send(chatId)).status).toBe(202);
    await writeAs(account, phone, { to: account.line, text: "thanks" });
  });

  test("is found whatever way it is written; blocking it again answers the first entry", async () => {
    const first = await call("POST", { handle: " Ada.Lovelace@Example.COM ", reason: "one" });
    const again = await call("POST", { handle: "ada.lovelace@example.com", reason: "two" });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await call("DELETE", { handle: "ADA.lovelace@example.com" })).status).toBe(204);

    await call("POST", { handle: "+1 (415) 555-0101" });
    expect((await call("GET")).body.blocked_handles).toMatchObject([
      { handle: "+14155550101", reason: null },
    ]);
  });

  test.each(["24273", "BANK 24", "+14155550102", "Bücherei-Süd am Markt", "銀行", "urn:biz:0f0e"])(
    "%s may be blocked",
    async (handle) => {
      expect((await call("POST", { handle })).body.blocked_handle.handle).toBe(handle);
    },
  );

  test.each(["", "12", "123456789", "not/a/handle", "@", "+0123"])("%j may not: 1005", async (handle) => {
    const { status, body } = await call("POST", { handle });
    expect(status).toBe(400);
    expect([1001, 1005]).toContain(body.error.code);
  });

  test("that is not blocked is 2025; another account's list is its own", async () => {
    expect((await call("DELETE", { handle: phone })).body.error.code).toBe(2025);
    await call("POST", { handle: phone });
    const other = await createTestAccount({ type: "sandbox" });
    const theirs = await callApi("DELETE /v3/blocked_handles", {
      token: other.token,
      body: { handle: phone },
    });
    expect(theirs.status).toBe(404);
  });

  test("has an audit entry for the person and the reason of each block and unblock", async () => {
    await call("POST", { handle: phone, reason: "spam" });
    await call("DELETE", { handle: phone });
    const entries = await prisma().auditEntry.findMany({
      where: { accountId: account.ref.id, objectType: "handle" },
      orderBy: { id: "asc" },
    });
    expect(
      entries.map(({ action, objectId, actorType, detail }) => [action, objectId, actorType, detail]),
    ).toEqual([
      ["handle.blocked", phone, "api", { reason: "spam" }],
      ["handle.unblocked", phone, "api", { reason: "spam" }],
    ]);
  });

  test("still gets what was sent before the block: receipts of it are ours to know; what its phone does is not", async () => {
    running = [startDispatch()];
    const sent = await send(chatId);
    const messageId = sent.body.message.id;
    await untilStatus(account, messageId, "sent");
    await call("POST", { handle: phone });
    for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));

    await untilStatus(account, messageId, "delivered");
    await readAs(account, phone, chatId);
    await untilStatus(account, messageId, "read");
    const types = (await eventsOfMessage(account, messageId)).map(({ type }) => type);
    expect(types).toEqual(["message.sent", "message.delivered", "message.read"]);

    const before = await prisma().event.count({ where: { accountId: account.ref.id } });
    const phones = `/simulator/phones/${phone}`;
    const does = (what: string, body: object) =>
      callApi(`POST ${phones}/${what}`, { token: account.token, body });
    await does("reactions", { message_id: messageId, type: "love" });
    await does("typing", { chat_id: chatId });
    await does("background", { chat_id: chatId, background: { type: "color", variant: "lime" } });
    await does("location", { to: account.line });
    expect(await prisma().event.count({ where: { accountId: account.ref.id } })).toBe(before);
  });

  test("cannot change what it wrote before it was blocked", async () => {
    const { messageId } = await writeAs(account, phone, { to: account.line, text: "kind words" });
    await call("POST", { handle: phone });
    const body = { message_id: messageId, text: "unkind words" };
    await callApi(`POST /simulator/phones/${phone}/edits`, { token: account.token, body });
    expect((await readMessage(account, messageId)).parts).toMatchObject([{ value: "kind words" }]);
  });

  test("stays in its groups: they are written to and read as before", async () => {
    const other = await createTestPhone(account);
    await createDirectChat(account, other);
    const created = await callApi("POST /v3/chats", {
      token: account.token,
      body: { from: account.line, to: [phone, other], message: { parts: [{ type: "text", value: "all" }] } },
    });
    await call("POST", { handle: phone });
    expect((await send(created.body.chat.id)).status).toBe(202);
  });
});

describe("the list of blocks", () => {
  const list = (query: { search?: string; cursor?: string; limit: number }) =>
    listBlockedHandleViews(account.context(), { query });

  test("says who blocked whom and why, newest first, page by page, none twice", async () => {
    for (const handle of ["+15550109001", "+15550109002", "spam@example.com"]) {
      await call("POST", { handle, reason: "spam" });
      advanceClock(1);
    }
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(first.blocks[0]).toMatchObject({
      handle: "spam@example.com",
      reason: "spam",
      by: { type: "api", name: "test" },
    });
    const handles = [...first.blocks, ...second.blocks].map(({ handle }) => handle);
    expect(handles).toEqual(["spam@example.com", "+15550109002", "+15550109001"]);
    expect(second.next_cursor).toBeNull();
  });

  test("shows blocks of one moment each once, one a page", async () => {
    const blocked = ["+15550109001", "+15550109002", "+15550109003"];
    for (const handle of blocked) await call("POST", { handle });
    await sql.runText({
      text: "update contacts set blocked_at = '2026-01-01T00:00:00Z' where account_id = $1 and blocked_at is not null",
      values: [account.ref.id],
    });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null && seen.length < 9; ) {
      const page: Awaited<ReturnType<typeof listBlockedHandleViews>> = await list({
        limit: 1,
        ...(cursor && { cursor }),
      });
      seen.push(...page.blocks.map(({ handle }) => handle));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(blocked);
  });

  test("is searched by part of a number, however it is written, and exported as shown", async () => {
    await call("POST", { handle: "+15550109001" });
    await call("POST", { handle: "spam@example.com" });
    expect((await list({ search: "(555) 010-9001", limit: 9 })).blocks).toMatchObject([
      { handle: "+15550109001" },
    ]);
    const { pages } = await exportBlockedHandles.run(account.context(), { query: { search: "SPAM" } });
    expect(await pages.next()).toMatchObject({
      value: [{ handle: "spam@example.com", by: "test", reason: null }],
    });
  });

  test("shows nothing of another account", async () => {
    await call("POST", { handle: "+15550109001" });
    const other = await createTestAccount({ type: "sandbox" });
    expect((await listBlockedHandleViews(other.context(), { query: { limit: 9 } })).blocks).toEqual([]);
  });
});
