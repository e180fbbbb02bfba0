import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readersOf } from "@/lib/platform/database/wake";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone, untilStatus } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { createTestGroup } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

process.env.STREAMS_PER_ACCOUNT = "2";

let account: TestAccount;
let worker: Worker;
/** The worker itself listens to events. */
let ownReaders: number;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
  ownReaders = readersOf("events");
});

afterAll(() => worker.stop());

const get = (path: string, token = account.token) => callApi(`GET /simulator/${path}`, { token });

async function outbox(query: string) {
  const { status, body } = await get(`outbox?${query}`);
  expect(status).toBe(200);
  return body.messages;
}

describe("the outbox", () => {
  test("waits until a phone has a matching message, however long the message takes", async () => {
    const phone = await createTestPhone(account, { delay_ms: 300 });
    const chatId = await createDirectChat(account, phone);
    const waiting = outbox(`to=${encodeURIComponent(phone)}&contains=code&timeout=30`);
    await until(() => readersOf("phones") > 0);
    await acceptTestMessage(account, chatId, "welcome");
    const id = await acceptTestMessage(account, chatId, "your code is 1234");

    expect(await waiting).toMatchObject([
      {
        id,
        message_id: id,
        chat_id: chatId,
        from: account.line,
        line: account.line,
        to: phone,
        service: "iMessage",
        parts: [{ type: "text", value: "your code is 1234" }],
        delivered_at: expect.any(String),
      },
    ]);
    expect(readersOf("phones")).toBe(0);
  });

  test("lists what phones received, oldest first, and nothing that a phone wrote or that is on its way", async () => {
    const phone = await createTestPhone(account);
    const slow = await createTestPhone(account, { delay_ms: 86_400_000 });
    const chatId = await createDirectChat(account, phone);
    const ids = [];
    for (const text of ["one", "two", "three"]) {
      const id = await acceptTestMessage(account, chatId, text);
      await untilStatus(account, id, "delivered");
      ids.push(id);
    }
    const pending = await acceptTestMessage(account, await createDirectChat(account, slow), "later");
    await untilStatus(account, pending, "sent");

    const to = `to=${encodeURIComponent(phone)}`;
    const idsOf = async (query: string) => (await outbox(query)).map(({ id }: { id: string }) => id);
    expect(await idsOf(to)).toEqual(ids);
    expect(await idsOf(`${to}&after=${ids[0]}`)).toEqual(ids.slice(1));
    expect(await idsOf(`${to}&limit=1`)).toEqual(ids.slice(2));
    expect(await idsOf(`${to}&contains=w`)).toEqual(ids.slice(1, 2));
    expect(await idsOf(`${to}&after=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(await idsOf(`${to}&line=%2B12025550199`)).toEqual([]);
    expect(await idsOf(`to=${encodeURIComponent(slow)}&timeout=0.1`)).toEqual([]);
  });

  test("has a group's message once for each phone", async () => {
    const { chatId, phones } = await createTestGroup(account, 3);
    const id = await acceptTestMessage(account, chatId, "all of you");
    const found = await until(async () => {
      const messages = await outbox(`contains=all%20of%20you&timeout=5`);
      return messages.length === phones.length && messages;
    });
    expect(found.map(({ to }: { to: string }) => to)).toEqual([...phones].sort());
    expect(new Set(found.map((message: { message_id: string }) => message.message_id))).toEqual(
      new Set([id]),
    );
  });

  test("is that of one account", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const { body } = await get("outbox", other.token);
    expect(body.messages).toEqual([]);
  });

  test.each(["timeout=31", "timeout=x", "limit=101", "to=12", "after=unknown"])(
    "%s is refused",
    async (query) => {
      expect((await get(`outbox?${query}`)).status).toBe(400);
    },
  );
});

describe("the events", () => {
  async function events(query: string) {
    const { status, body } = await get(`events?${query}`);
    expect(status).toBe(200);
    return body.events;
  }

  test("wait until one of the type and with the text occurs", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    const waiting = events(`type=message.delivered,message.failed&contains=${chatId}&timeout=30`);
    await until(() => readersOf("events") > ownReaders);
    const id = await acceptTestMessage(account, chatId);

    const [delivered] = await waiting;
    expect(delivered).toMatchObject({ event_type: "message.delivered", data: { id, chat: { id: chatId } } });
    const typesAfter = (await events(`contains=${chatId}&after=${delivered.event_id}`)).map(
      (event: { event_type: string }) => event.event_type,
    );
    expect(typesAfter).not.toContain("message.delivered");
    const [again] = await events(`type=message.delivered&contains=${chatId}`);
    expect(again).toEqual(delivered);
  });

  test("without a match the list is empty when the time is over", async () => {
    expect(await events("type=message.failed&contains=nothing&timeout=0.2")).toEqual([]);
    expect(await events(`after=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  });

  test.each(["type=message.unknown", "after=x", `after=${crypto.randomUUID()}`])(
    "%s is refused",
    async (query) => {
      expect((await get(`events?${query}`)).status).toBe(400);
    },
  );
});

describe("a wait", () => {
  test("ends when the client disconnects, and waits are limited per account", async () => {
    const api = await serveApi();
    const leave = new AbortController();
    const wait = (path: string) =>
      fetch(`${api.baseUrl}/simulator/${path}&timeout=30`, {
        headers: { authorization: `Bearer ${account.token}` },
        signal: leave.signal,
      });
    try {
      const waits = [wait("outbox?contains=never"), wait("events?contains=never")];
      await until(() => readersOf("phones") > 0 && readersOf("events") > ownReaders);
      const refused = await get("outbox?timeout=1");
      expect([refused.status, refused.body.error.code]).toEqual([429, 1007]);
      expect((await get("outbox")).status).toBe(200);

      leave.abort();
      await Promise.allSettled(waits);
      await until(() => readersOf("phones") === 0 && readersOf("events") === ownReaders);
      expect((await get("outbox?timeout=0.1")).status).toBe(200);
    } finally {
      await api.close();
    }
  });
});
