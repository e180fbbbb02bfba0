import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { wake } from "@/lib/platform/database/wake";
import { findFault, followFaults, hasFaults } from "@/lib/platform/sandbox/find-fault";
import { actsOn } from "@/lib/platform/sandbox/injected-fault";
import { now } from "@/lib/platform/time/clock";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  advanceClock,
  createDirectChat,
  createTestPhone,
  untilStatus,
} from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";

// A message is retried soon, and so is a webhook.
process.env.WEBHOOK_RETRY_SECONDS = "1,1,1";

const SEND = "POST /v3/chats/{chatId}/messages";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(() => worker.stop());

afterEach(() => call("DELETE /simulator/faults"));

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

async function setFaults(...faults: object[]) {
  const answer = await call("PUT /simulator/faults", { faults });
  expect(answer.status).toBe(200);
  return answer.body.faults;
}

async function counts(): Promise<[matched: number, applied: number]> {
  const { body } = await call("GET /simulator/faults");
  return [body.faults[0].matched, body.faults[0].applied];
}

async function openChat(more: Parameters<typeof createTestPhone>[1] = {}) {
  const phone = await createTestPhone(account, more);
  return { phone, chatId: await createDirectChat(account, phone) };
}

const message = { message: { parts: [{ type: "text", value: "hello" }] } };
const send = (chatId: string) => call(`POST /v3/chats/${chatId}/messages`, message);
const messageCount = async (chatId: string) =>
  (await call(`GET /v3/chats/${chatId}/messages`)).body.messages.length;

describe("a fault of a route", () => {
  test("answers the first calls with an error, and the call is not performed", async () => {
    const { chatId } = await openChat();
    await setFaults({
      match: { route: SEND },
      effect: { type: "error", code: 4004, status: 503 },
      when: { first: 2 },
    });
    const answers = [await send(chatId), await send(chatId), await send(chatId)];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 202]);
    expect(answers[0]?.body.error).toMatchObject({
      code: 4004,
      message: expect.stringContaining("injected fault"),
    });
    expect(answers[0]?.headers.get("retry-after")).toBe("30");
    expect(await messageCount(chatId)).toBe(2);
    expect(await counts()).toEqual([3, 2]);
  });

  test("acts on this route under its alias too, and on no other", async () => {
    const { chatId } = await openChat();
    await setFaults({ match: { route: SEND }, effect: { type: "error", code: 1007 } });
    expect((await call(`GET /v3/chats/${chatId}/messages`)).status).toBe(200);
    expect((await call(`POST /api/partner/v3/chats/${chatId}/messages`, message)).status).toBe(429);
    expect((await call(`POST /v3/chats/${chatId}/read`)).status).toBe(204);
    await setFaults({ match: { route: "* /v3/chats/*" }, effect: { type: "error", code: 3006 } });
    expect((await call(`GET /v3/chats/${chatId}`)).status).toBe(500);
    expect((await call("GET /v3/chats")).status).toBe(200);
  });

  test("acts on the n-th or every n-th call", async () => {
    const look = async () => (await call("GET /v3/chats")).status;
    const route = { match: { route: "GET /v3/chats" }, effect: { type: "error", code: 3006 } };
    await setFaults({ ...route, when: { nth: 2 } });
    expect([await look(), await look(), await look()]).toEqual([200, 500, 200]);
    await setFaults({ ...route, when: { every: 2 } });
    expect([await look(), await look(), await look(), await look()]).toEqual([200, 500, 200, 500]);
  });

  test("acts and counts only in its period", async () => {
    const route = { match: { route: "GET /v3/chats" }, effect: { type: "error", code: 3006 } };
    const hour = (hours: number) => new Date(now().getTime() + hours * 3_600_000).toISOString();
    await setFaults({ ...route, when: { from: hour(1), until: hour(2) } });
    expect((await call("GET /v3/chats")).status).toBe(200);
    expect(await counts()).toEqual([0, 0]);
    await setFaults({ ...route, when: { from: hour(-1), until: hour(1) } });
    expect((await call("GET /v3/chats")).status).toBe(500);
  });

  test("performs a call twice, and an idempotency key makes it one", async () => {
    const { chatId } = await openChat();
    await setFaults({ match: { route: SEND }, effect: { type: "duplicate" } });
    expect((await send(chatId)).status).toBe(202);
    expect(await messageCount(chatId)).toBe(3);
    const keyed = { message: { ...message.message, idempotency_key: crypto.randomUUID() } };
    expect((await call(`POST /v3/chats/${chatId}/messages`, keyed)).status).toBe(202);
    expect(await messageCount(chatId)).toBe(4);
  });

  test("drops the response of a call that was performed", async () => {
    const { chatId } = await openChat();
    const api = await serveApi();
    try {
      await setFaults({ match: { route: SEND }, effect: { type: "drop" }, when: { nth: 1 } });
      const post = () =>
        fetch(`${api.baseUrl}/v3/chats/${chatId}/messages`, {
          method: "POST",
          headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
          body: JSON.stringify(message),
        });
      await expect(post()).rejects.toThrow();
      expect(await messageCount(chatId)).toBe(2);
      expect((await post()).status).toBe(202);
    } finally {
      await api.close();
    }
  });

  test("with a code acts on the responses with this code", async () => {
    await setFaults({ match: { code: 2001 }, effect: { type: "error", code: 4004, status: 503 } });
    expect((await call(`GET /v3/chats/${crypto.randomUUID()}`)).body.error.code).toBe(4004);
    expect((await call("GET /v3/chats")).status).toBe(200);
    expect(await counts()).toEqual([1, 1]);
  });

  test("counts together with the other calls that run at the same time", async () => {
    await setFaults({
      match: { route: "GET /v3/chats" },
      effect: { type: "error", code: 3006 },
      when: { first: 5 },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call("GET /v3/chats")));
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(5);
    expect(await counts()).toEqual([20, 5]);
  });

  test("is of one account", async () => {
    await setFaults({ match: { route: "GET /v3/chats" }, effect: { type: "error", code: 3006 } });
    const other = await createTestAccount({ type: "sandbox" });
    expect((await callApi("GET /v3/chats", { token: other.token })).status).toBe(200);
    expect((await callApi("GET /simulator/faults", { token: other.token })).body).toEqual({ faults: [] });
  });
});

describe("a fault of the simulated network", () => {
  test.each([
    [4005, 4005],
    [4007, 4007],
    [4008, 4008],
    [4001, 4001],
  ])("with code %i makes a message to the handle fail with %i", async (code, expected) => {
    const { phone, chatId } = await openChat();
    await setFaults({ match: { handle: phone }, effect: { type: "error", code } });
    const id = await acceptTestMessage(account, chatId);
    await untilStatus(account, id, "failed");
    const { body } = await call(`GET /simulator/events?type=message.failed&contains=${id}`);
    expect(body.events[0].data.code).toBe(expected);
  });

  test("with code 4006: the message fails with 4006, is on the phone once, and is delivered by a late receipt", async () => {
    const { phone, chatId } = await openChat();
    await setFaults({ match: { handle: phone }, effect: { type: "error", code: 4006 }, when: { first: 1 } });
    const id = await acceptTestMessage(account, chatId, "unconfirmed");
    const failed = await call(`GET /simulator/events?type=message.failed&contains=${id}&timeout=30`);
    expect(failed.body.events[0].data.code).toBe(4006);
    await untilStatus(account, id, "delivered");
    const { body } = await call(`GET /simulator/outbox?to=${encodeURIComponent(phone)}&contains=unconfirmed`);
    expect(body.messages).toHaveLength(1);
    await untilStatus(account, await acceptTestMessage(account, chatId, "next"), "delivered");
  });

  describe("inbound", () => {
    const write = (phone: string, text: string) =>
      call(`POST /simulator/phones/${encodeURIComponent(phone)}/messages`, { to: account.line, text });

    async function textsIn(chatId: string): Promise<string[]> {
      const { body } = await call(`GET /v3/chats/${chatId}/messages`);
      const inbound = body.messages.filter((message: { is_from_me: boolean }) => !message.is_from_me);
      return inbound.map(({ parts }: { parts: { value: string }[] }) => parts[0]?.value);
    }

    async function openedBy(text: string) {
      const { phone } = await openChat();
      const { body } = await write(phone, text);
      return { phone, chatId: body.chat_id as string, before: await textsIn(body.chat_id) };
    }

    test("drops a message from the phone, and no message to the phone or from another one", async () => {
      const { phone, chatId, before } = await openedBy("hi");
      const other = await openedBy("hello");
      await setFaults({ match: { handle: phone, direction: "inbound" }, effect: { type: "drop" } });
      expect((await write(phone, "lost")).body).toEqual({ chat_id: null, message_id: null });
      expect((await write(other.phone, "kept")).body.chat_id).toBe(other.chatId);
      expect(await textsIn(chatId)).toEqual(before);
      await untilStatus(account, await acceptTestMessage(account, chatId, "answer"), "delivered");
      const shown = await call(`GET /simulator/phones/${encodeURIComponent(phone)}/messages`);
      expect(JSON.stringify(shown.body)).toContain("lost");
      const { body } = await call("GET /simulator/faults");
      expect(body.faults[0]).toMatchObject({ matched: 1, applied: 1 });
    });

    test("duplicates a message: two messages with IDs of their own, one on the phone", async () => {
      const { phone, chatId, before } = await openedBy("hi");
      await setFaults({
        match: { line: account.line, direction: "inbound" },
        effect: { type: "duplicate" },
        when: { first: 1 },
      });
      expect((await write(phone, "twice")).body.chat_id).toBe(chatId);
      expect((await write(phone, "once")).status).toBe(201);
      expect((await textsIn(chatId)).sort()).toEqual([...before, "once", "twice", "twice"].sort());
      const { body } = await call(`GET /simulator/phones/${encodeURIComponent(phone)}/messages`);
      expect(JSON.stringify(body.messages).split("twice")).toHaveLength(2);
    });

    test("holds a message back by the platform clock: the next one overtakes it", async () => {
      const { phone, chatId, before } = await openedBy("hi");
      await setFaults({
        match: { handle: phone, direction: "inbound" },
        effect: { type: "reorder", delay_ms: 3_600_000 },
        when: { nth: 1 },
      });
      expect((await write(phone, "first")).body).toEqual({ chat_id: null, message_id: null });
      await write(phone, "second");
      expect(await textsIn(chatId)).toEqual(expect.arrayContaining([...before, "second"]));
      expect(await textsIn(chatId)).not.toContain("first");
      const due = await sql.runText<{ due: string }>({
        text: "select extract(epoch from due_at - created_at)::text as due from simulator_delayed_messages where account_id = $1",
        values: [account.ref.id],
      });
      expect(due.map((row) => Number(row.due))).toEqual([3600]);
      await advanceClock(3600);
      await until(async () => (await textsIn(chatId)).includes("first"));
      await until(async () => {
        const left = await sql.runText({
          text: "select from simulator_delayed_messages where account_id = $1",
          values: [account.ref.id],
        });
        return left.length === 0;
      });
    });

    test.each([
      [
        { handle: "+12025550123", direction: "inbound" },
        { type: "error", code: 4001 },
      ],
      [{ handle: "+12025550123", direction: "inbound" }, { type: "stall" }],
      [{ route: "POST /v3/chats", direction: "inbound" }, { type: "drop" }],
      [{ direction: "inbound" }, { type: "drop" }],
    ])("%j with %j is refused", async (match, effect) => {
      expect((await call("POST /simulator/faults", { match, effect })).body.error.code).toBe(1005);
    });
  });

  test("delays, drops or duplicates messages from the line", async () => {
    const { phone, chatId } = await openChat();
    const received = async (text: string) => {
      const { body } = await call(`GET /simulator/outbox?to=${encodeURIComponent(phone)}&contains=${text}`);
      return body.messages.length;
    };
    await setFaults({ match: { line: account.line }, effect: { type: "drop" }, when: { nth: 1 } });
    await untilStatus(account, await acceptTestMessage(account, chatId, "lost"), "sent");
    await untilStatus(account, await acceptTestMessage(account, chatId, "kept"), "delivered");
    expect([await received("lost"), await received("kept")]).toEqual([0, 1]);

    await setFaults({ match: { handle: phone }, effect: { type: "duplicate" } });
    await untilStatus(account, await acceptTestMessage(account, chatId, "twice"), "delivered");
    expect(await received("twice")).toBe(2);

    await setFaults({
      match: { handle: phone },
      effect: { type: "reorder", delay_ms: 3_600_000 },
      when: { nth: 1 },
    });
    const held = await acceptTestMessage(account, chatId, "first");
    await untilStatus(account, await acceptTestMessage(account, chatId, "second"), "delivered");
    advanceClock(3600);
    await untilStatus(account, held, "delivered");
    const { body } = await call(`GET /simulator/outbox?to=${encodeURIComponent(phone)}`);
    const texts = body.messages.map((each: { parts: { value: string }[] }) => each.parts[0]?.value);
    expect(texts.slice(-2)).toEqual(["second", "first"]);
  });
});

describe("a fault of webhook deliveries", () => {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    await sql.runText({ text: "update webhook_subscriptions set is_active = false, deleted_at = now()" });
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  async function subscribe(...types: string[]) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const body = { target_url: receiver.url, subscribed_events: types };
    const { status, body: subscription } = await call("POST /v3/webhook-subscriptions", body);
    expect(status).toBe(201);
    return { receiver, id: subscription.id as string };
  }

  async function attemptsOf(subscriptionId: string) {
    return sql.runText<{ status_code: number | null; error: string | null }>({
      text: `select a.status_code, a.error from webhook_attempts a
             join webhook_deliveries d on d.account_id = a.account_id and d.id = a.delivery_id
             where d.subscription_id = $1 order by a.number`,
      values: [subscriptionId],
    });
  }

  test("answers the first attempts in place of the endpoint, and the delivery is retried", async () => {
    const { receiver, id } = await subscribe("message.received");
    await setFaults(
      { match: { event: "message.received" }, effect: { type: "error", status: 503 }, when: { nth: 1 } },
      { match: { endpoint: id }, effect: { type: "drop" }, when: { nth: 1 } },
    );
    await openChat();
    await until(() => receiver.received.length > 0);
    expect(await until(async () => ((await attemptsOf(id)).length === 3 ? attemptsOf(id) : null))).toEqual([
      { status_code: 503, error: null },
      { status_code: null, error: "reset" },
      { status_code: 200, error: null },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test("posts a delivery twice with the same event, and only to this endpoint", async () => {
    const { receiver } = await subscribe("message.received");
    const { receiver: other } = await subscribe("message.received");
    await setFaults({ match: { endpoint: receiver.url }, effect: { type: "duplicate" } });
    await openChat();
    await until(() => receiver.received.length === 2 && other.received.length === 1);
    const ids = receiver.received.map(({ body }) => JSON.parse(body).event_id);
    expect(new Set(ids).size).toBe(1);
  });

  test("holds a delivery back, so that later ones overtake it", async () => {
    const { receiver } = await subscribe("message.received");
    await setFaults({
      match: { event: "message.received" },
      effect: { type: "reorder", delay_ms: 3000 },
      when: { nth: 1 },
    });
    const phone = await createTestPhone(account);
    for (const text of ["first", "second"]) {
      await call(`POST /simulator/phones/${phone}/messages`, { to: account.line, text });
      await until(async () => (await counts())[0] > 0);
    }
    await until(() => receiver.received.length === 2);
    const texts = receiver.received.map(({ body }) => JSON.parse(body).data.parts[0].value);
    expect(texts).toEqual(["second", "first"]);
  });
});

describe("the faults of an account", () => {
  test("are added, listed and removed one by one", async () => {
    const first = await call("POST /simulator/faults", {
      match: { route: "GET /v3/chats" },
      effect: { type: "latency", delay_ms: 1 },
    });
    expect(first).toMatchObject({ status: 201, body: { matched: 0, applied: 0 } });
    const second = await call("POST /simulator/faults", {
      match: { line: account.line },
      effect: { type: "stall" },
    });
    expect((await call("GET /simulator/faults")).body.faults).toEqual([first.body, second.body]);
    expect(hasFaults(account.ref.id)).toBe(true);

    expect((await call(`DELETE /simulator/faults/${first.body.id}`)).status).toBe(204);
    expect((await call(`DELETE /simulator/faults/${first.body.id}`)).body.error.code).toBe(1005);
    expect((await call("GET /simulator/faults")).body.faults).toEqual([second.body]);
    await call("DELETE /simulator/faults");
    expect(hasFaults(account.ref.id)).toBe(false);
  });

  test("are known to a process that starts, and to one that is woken", async () => {
    const insert = (id: string) =>
      sql.runText({
        text: `insert into simulator_faults (account_id, id, position, match, effect, condition, created_at)
               values ($1, $2, 1, '{"route":"GET /v3/chats"}', '{"type":"drop"}', '{}', now())`,
        values: [account.ref.id, id],
      });
    await insert(crypto.randomUUID());
    const leave = await followFaults();
    expect(await findFault(account.ref.id, () => true)).toEqual({ type: "drop" });
    await sql.runText({ text: "delete from simulator_faults" });
    // One that another process removed does not act, even before this process knows.
    expect(await findFault(account.ref.id, () => true)).toBeNull();
    wake("faults");
    await until(() => !hasFaults(account.ref.id));
    await leave();
  });

  test.each([
    [{ match: {}, effect: { type: "drop" } }],
    [{ match: { route: "GET /v3/chats", line: "+12025550100" }, effect: { type: "drop" } }],
    [{ match: { route: "GET /simulator/phones" }, effect: { type: "drop" } }],
    [{ match: { route: "/v3/chats" }, effect: { type: "drop" } }],
    [{ match: { route: "GET /v3/chats" }, effect: { type: "error" } }],
    [{ match: { route: "GET /v3/chats" }, effect: { type: "error", code: 9999 } }],
    [{ match: { route: "GET /v3/chats" }, effect: { type: "error", code: 4004, status: 404 } }],
    [{ match: { route: "GET /v3/chats" }, effect: { type: "latency" } }],
    [{ match: { line: "+12025550100" }, effect: { type: "error", code: 4010 } }],
    [{ match: { event: "message.sent" }, effect: { type: "error", code: 4004 } }],
    [{ match: { event: "message.unknown" }, effect: { type: "drop" } }],
    [{ match: { event: "message.sent" }, effect: { type: "explode" } }],
    [{ match: { event: "message.sent" }, effect: { type: "drop" }, when: { probability: 2 } }],
  ])("%j is refused", async (fault) => {
    expect((await call("POST /simulator/faults", fault)).status).toBe(400);
    expect((await call("PUT /simulator/faults", { faults: [fault] })).status).toBe(400);
  });

  test("of a seeded account have the same ids in each run", async () => {
    const run = async () => {
      const { body } = await call("POST /simulator/accounts", { seed: "faults" });
      const fault = { match: { line: body.lines[0] }, effect: { type: "drop" } };
      const added = await callApi("POST /simulator/faults", { token: body.token, body: fault });
      await sql.runText({ text: "delete from accounts where id = $1", values: [body.account_id] });
      return added.body.id;
    };
    expect(await run()).toBe(await run());
  });
});

test("the same seed chooses the same matches, about as many as the probability says", () => {
  const choices = (seed: string) =>
    Array.from({ length: 1000 }, (_, index) =>
      actsOn({ id: "x", condition: { probability: 0.3, seed } }, index + 1),
    );
  expect(choices("a")).toEqual(choices("a"));
  expect(choices("a")).not.toEqual(choices("b"));
  const share = choices("a").filter(Boolean).length / 1000;
  expect(Math.abs(share - 0.3)).toBeLessThan(0.05);
});
