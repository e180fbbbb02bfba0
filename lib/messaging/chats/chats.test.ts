import "@/lib/testing/use-test-database";
import { inspect } from "node:util";

import { beforeAll, describe, expect, test } from "vitest";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";

const message = { parts: [{ type: "text", value: "hello" }] };

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
});

function create(to: string[], more: object = {}) {
  return callApi("POST /v3/chats", {
    token: account.token,
    body: { from: account.line, to, message, ...more },
  });
}

function get(path: string) {
  return callApi(`GET ${path}`, { token: account.token });
}

describe("creating a chat", () => {
  test("answers 201 with the chat, its handles and its first message; chat.created is stored once", async () => {
    const { status, body } = await create(["+15550001001"]);

    expect(status).toBe(201);
    expect(body.chat).toMatchObject({ display_name: "+15550001001", is_group: false, service: "iMessage" });
    expect(body.chat.handles.map((handle: { is_me: boolean }) => handle.is_me)).toEqual([true, false]);
    expect(await prisma().event.count({ where: { chatId: body.chat.id, type: "chat.created" } })).toBe(1);
  });

  test("the same recipients in any order are the same chat; another set is another", async () => {
    const one = await create(["+15550001002", "+15550001003"]);
    const two = await create(["+15550001003", "+15550001002", "+15550001002"]);
    const other = await create(["+15550001002"]);

    expect(one.body.chat.is_group).toBe(true);
    expect(two.status).toBe(201);
    expect(two.body.chat.id).toBe(one.body.chat.id);
    expect(other.body.chat.id).not.toBe(one.body.chat.id);
  });

  test("fifty concurrent creates for one set share one chat, whose event comes once", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(["+15550001004"])));

    const ids = new Set(answers.map(({ body }) => body.chat?.id));
    expect(ids.size).toBe(1);
    const [chatId] = ids;
    expect(await prisma().message.count({ where: { chatId } })).toBe(50);
    expect(await prisma().event.count({ where: { chatId, type: "chat.created" } })).toBe(1);
  });

  test("a repeated idempotency key answers the original in its chat and opens no other", async () => {
    const keyed = { message: { ...message, idempotency_key: "chat-key" } };
    const first = await create(["+15550001005"], keyed);
    const elsewhere = await create(["+15550001006"], keyed);

    expect(elsewhere.body.chat).toMatchObject({
      id: first.body.chat.id,
      message: { id: first.body.chat.message.id },
    });
    expect((await get(`/v3/chats?to=%2B15550001006`)).body.chats).toEqual([]);
  });

  test("a repeated idempotency key is answered while its group is still being made", async () => {
    const sandbox = await createTestAccount({ type: "sandbox" });
    const call = (what: `${string} ${string}`, body: object) => callApi(what, { token: sandbox.token, body });
    const to = [await createTestPhone(sandbox), await createTestPhone(sandbox)];
    for (const handle of to) await createDirectChat(sandbox, handle);
    await call(`PUT /simulator/lines/${sandbox.line}`, { groups_wait: true });
    const createGroup = (key: string) =>
      call("POST /v3/chats", { from: sandbox.line, to, message: { ...message, idempotency_key: key } });

    const first = await createGroup("group-key");
    const again = await createGroup("group-key");
    expect([again.status, again.body.chat?.message.id]).toEqual([201, first.body.chat.message.id]);
    const other = await createGroup("another-key");
    expect([other.status, other.body.error?.code]).toEqual([409, 2009]);
  });

  const refusals: [string, object, number, number][] = [
    ["a number not in E.164", { to: ["555-0100"] }, 400, 1002],
    ["a line not in E.164", { from: "15550100001" }, 400, 1002],
    ["no recipient", { to: [] }, 400, 1005],
    ["32 recipients", { to: Array.from({ length: 32 }, (_, index) => `+1555100${1000 + index}`) }, 400, 1005],
    ["no to", { to: undefined }, 400, 1001],
    ["another account's line", { from: "+15550109999" }, 403, 2006],
  ];

  test.each(refusals)("%s is refused", async (_, change, status, code) => {
    const answer = await create(["+15550001007"], change);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test("an email handle is lower-cased, so it is one recipient", async () => {
    const one = await create(["Ada@Example.com"]);
    const two = await create(["ada@example.com"]);
    expect(two.body.chat.id).toBe(one.body.chat.id);
  });
});

describe("listing chats", () => {
  test("a walk shows each chat exactly once, most recent activity first, although others appear meanwhile", async () => {
    const walker = await createTestAccount({ type: "production" });
    const ids: string[] = [];
    for (let index = 0; index < 9; index++)
      ids.push((await walker.sendFirst(`+1555200${1000 + index}`)).chatId);

    const walked: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await callApi(`GET /v3/chats?limit=2${query}`, { token: walker.token });
      walked.push(...body.chats.map((chat: { id: string }) => chat.id));
      cursor = body.next_cursor;
      await walker.sendFirst(`+1555300${1000 + walked.length}`);
    }

    expect(walked.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
    expect(new Set(walked).size).toBe(walked.length);
  });

  test("filters by line and by recipient; another account's chats are never among them", async () => {
    const { chatId } = await account.sendFirst("+15550004001");
    const stranger = await createTestAccount({ type: "production" });

    expect(
      (await get("/v3/chats?to=%2B15550004001")).body.chats.map((chat: { id: string }) => chat.id),
    ).toEqual([chatId]);
    expect((await get(`/v3/chats?from=${encodeURIComponent(stranger.line)}`)).body.chats).toEqual([]);
    expect((await callApi("GET /v3/chats?to=%2B15550004001", { token: stranger.token })).body.chats).toEqual(
      [],
    );
  });

  test.each(["limit=0", "limit=101", "limit=ten", "cursor=nonsense", "from=5550100"])(
    "?%s is refused",
    async (query) => {
      const { status, body } = await get(`/v3/chats?${query}`);
      expect(status).toBe(400);
      expect([1002, 1005]).toContain(body.error.code);
    },
  );

  test("takes at most three statements whatever the page size, authentication included", async () => {
    expect(await countStatements(() => get("/v3/chats?limit=1"))).toBeLessThanOrEqual(3);
    expect(await countStatements(() => get("/v3/chats?limit=100"))).toBeLessThanOrEqual(3);
  });
});

describe("listing messages", () => {
  test("a walk neither skips nor repeats under concurrent inserts", async () => {
    const { chatId, messageId } = await account.sendFirst("+15550005001");
    const send = async () => {
      const { body } = await callApi(`POST /v3/chats/${chatId}/messages`, {
        token: account.token,
        body: { message },
      });
      return body.message.id as string;
    };
    const before = [messageId];
    for (let index = 0; index < 10; index++) before.push(await send());

    const walked: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await get(
        `/v3/chats/${chatId}/messages?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      walked.push(...body.messages.map((listed: { id: string }) => listed.id));
      cursor = body.next_cursor;
      await send();
    }

    expect(walked.filter((id) => before.includes(id))).toEqual(before.toReversed());
    expect(new Set(walked).size).toBe(walked.length);
  });

  test("takes at most three statements whatever the page size, authentication included", async () => {
    const { chatId } = await account.sendFirst("+15550005002");
    expect(await countStatements(() => get(`/v3/chats/${chatId}/messages?limit=1`))).toBeLessThanOrEqual(3);
    expect(await countStatements(() => get(`/v3/chats/${chatId}/messages?limit=100`))).toBeLessThanOrEqual(3);
  });

  test("a deleted message is gone from the list, its content from the database", async () => {
    const canary = "canary-5f1c";
    const { chatId, messageId } = await account.sendFirst("+15550005003", {
      parts: [{ type: "text", value: canary }],
    });
    expect((await callApi(`DELETE /v3/messages/${messageId}`, { token: account.token })).status).toBe(204);

    expect((await get(`/v3/chats/${chatId}/messages`)).body.messages).toEqual([]);
    expect((await get(`/v3/messages/${messageId}`)).body.error.code).toBe(2002);
    expect((await callApi(`DELETE /v3/messages/${messageId}`, { token: account.token })).status).toBe(404);
    const stored = await prisma().message.findFirstOrThrow({ where: { id: messageId } });
    expect(inspect(stored, { depth: null })).not.toContain(canary);
  });
});
