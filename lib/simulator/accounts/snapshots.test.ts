import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { hasFaults } from "@/lib/platform/sandbox/find-fault";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { changeStoppedAccount } from "@/lib/simulator/accounts/account-state";
import { STATE_TABLES } from "@/lib/simulator/accounts/account-tables";
import { MAX_ROWS, requireFits } from "@/lib/simulator/accounts/store-snapshot";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone, untilStatus } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  worker = await startWorker();
});

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

async function takeSnapshot(name = "start"): Promise<string> {
  const { status, body } = await call("POST /simulator/snapshots", { name });
  expect([status, body.name]).toEqual([201, name]);
  return body.id;
}

const restore = (id: string) => call(`POST /simulator/snapshots/${id}/restore`);

/** Every row of every state table, as text. */
async function readState(): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {};
  for (const table of STATE_TABLES) {
    const rows = await sql.runText<{ row: string }>({
      text: `select row_to_json(t)::text as row from ${table} t where account_id = $1 order by 1`,
      values: [account.ref.id],
    });
    if (rows.length > 0) state[table] = rows.map(({ row }) => row);
  }
  return state;
}

/** A conversation with a poll, a reaction, a payment request, a fault and an opt-out. */
async function converse(handle: string, chatId: string): Promise<void> {
  const messageId = await acceptTestMessage(account, chatId, "Where shall we eat?");
  await untilStatus(account, messageId, "delivered");
  const phone = `/simulator/phones/${encodeURIComponent(handle)}`;
  await call(`POST ${phone}/reactions`, { message_id: messageId, type: "love" });
  await call("POST /v3/payment_requests", { amount: 4200, currency: "usd", metadata: { b: "1", a: "2" } });
  await call("POST /simulator/faults", {
    match: { route: "POST /v3/chats" },
    effect: { type: "error", code: 1007 },
  });
  const line = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).phoneNumber;
  const stop = await createTestPhone(account);
  await call(`POST /simulator/phones/${encodeURIComponent(stop)}/messages`, { to: line, text: "STOP" });
}

describe("a restored snapshot", () => {
  test("has every row of every table as it was", async () => {
    const handle = await createTestPhone(account);
    const chatId = await createDirectChat(account, handle);
    await converse(handle, chatId);
    const id = await takeSnapshot();
    const before = await readState();
    for (const table of [
      "messages",
      "reactions",
      "payment_requests",
      "simulator_faults",
      "opt_outs",
      "events",
    ])
      expect(Object.keys(before)).toContain(table);

    await converse(handle, chatId);
    expect((await call(`PATCH /v3/chats/${chatId}`, { display_name: "Dinner" })).status).toBeLessThan(500);
    expect((await restore(id)).status).toBe(200);
    expect(await readState()).toEqual(before);

    expect((await call("POST /simulator/reset")).status).toBe(204);
    expect(hasFaults(account.ref.id)).toBe(false);
    expect((await restore(id)).status).toBe(200);
    expect(await readState()).toEqual(before);
    expect(hasFaults(account.ref.id)).toBe(true);
  });

  test("goes on: the chat takes messages, and sequence numbers increase", async () => {
    const subscribed = await call("POST /v3/webhook-subscriptions", {
      target_url: "https://hooks.example.com/trunkline",
      subscribed_events: ["message.received", "message.sent"],
    });
    expect(subscribed.status).toBe(201);
    const handle = await createTestPhone(account);
    const chatId = await createDirectChat(account, handle);
    await untilStatus(account, await acceptTestMessage(account, chatId, "one"), "delivered");
    const id = await takeSnapshot();
    await untilStatus(account, await acceptTestMessage(account, chatId, "two"), "delivered");
    const newest = await newestOf(chatId);
    await restore(id);
    await untilStatus(account, await acceptTestMessage(account, chatId, "three"), "delivered");
    const next = await newestOf(chatId);
    expect(next.seq).toBeGreaterThan(newest.seq);
    expect(next.sequence).toBe(newest.sequence + 1);
    const { body } = await call(`GET /v3/chats/${chatId}/messages`);
    const texts = body.messages.map(({ parts }: { parts: { value: string }[] }) => parts[0]?.value);
    expect(texts).toContain("three");
    expect(texts).not.toContain("two");
  });

  async function newestOf(chatId: string): Promise<{ seq: number; sequence: number }> {
    const [row] = await sql.runText<{ seq: number; sequence: number }>({
      text: `select max(e.seq)::int as seq, (select last::int from webhook_sequences s
               where s.account_id = $1 and s.chat_id = $2) as sequence
             from events e where account_id = $1`,
      values: [account.ref.id, chatId],
    });
    return row ?? { seq: 0, sequence: 0 };
  }

  test("skips webhook deliveries that were pending", async () => {
    await call("POST /v3/webhook-subscriptions", {
      target_url: "https://hooks.example.com/trunkline",
      subscribed_events: ["message.sent"],
    });
    const chatId = await createDirectChat(account, await createTestPhone(account));
    await untilStatus(account, await acceptTestMessage(account, chatId, "one"), "delivered");
    const deliveries = () => prisma().webhookDelivery.findMany({ where: { accountId: account.ref.id } });
    await until(async () => (await deliveries()).some(({ runAt }) => runAt === null));
    const pending = { status: "waiting", runAt: new Date(Date.now() + 60_000), endedAt: null } as const;
    await prisma().webhookDelivery.updateMany({ where: { accountId: account.ref.id }, data: pending });
    const id = await takeSnapshot();
    await restore(id);
    const restored = await deliveries();
    expect(restored.length).toBeGreaterThan(0);
    expect(restored.map(({ status, runAt }) => [status, runAt])).toEqual(
      restored.map(() => ["skipped", null]),
    );
  });

  test("is another account's or unknown: 404, and nothing changes", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const id = await takeSnapshot();
    for (const snapshot of [id, account.ref.id]) {
      const answer = await callApi(`POST /simulator/snapshots/${snapshot}/restore`, { token: other.token });
      expect(answer.body.error.code).toBe(1005);
      expect((await callApi(`DELETE /simulator/snapshots/${snapshot}`, { token: other.token })).status).toBe(
        404,
      );
    }
    expect((await call("GET /simulator/snapshots")).body.snapshots).toHaveLength(1);
  });
});

test("a reset keeps the token, the line, the subscription and the snapshots, and deletes the rest", async () => {
  await call("POST /v3/webhook-subscriptions", {
    target_url: "https://hooks.example.com/trunkline",
    subscribed_events: ["message.sent"],
  });
  const handle = await createTestPhone(account);
  const chatId = await createDirectChat(account, handle);
  await converse(handle, chatId);
  await call("PUT /simulator/limits", { daily_messages: 1, pair_messages: 1, loop_exchanges: 30 });
  const before = (await call("GET /v3/phonenumbers")).body;
  const id = await takeSnapshot();
  await prisma().line.updateMany({
    where: { accountId: account.ref.id },
    data: { status: "FLAGGED", flaggedBy: "transport", flaggedAt: new Date(), isUp: false },
  });

  expect((await call("POST /simulator/reset")).status).toBe(204);
  expect(await readState()).toEqual({});
  expect((await call("GET /v3/phonenumbers")).body).toEqual(before);
  expect((await call("GET /v3/webhook-subscriptions")).body.subscriptions).toHaveLength(1);
  expect((await call("GET /simulator/snapshots")).body.snapshots).toMatchObject([{ id }]);
  expect((await call("GET /simulator/limits")).body).toMatchObject({
    pair_messages: 30,
    messages_today: 0,
    // A setting, not a limit.
    loop_exchanges: 30,
  });
  const audited = await prisma().auditEntry.findMany({
    where: { accountId: account.ref.id, action: "account.reset" },
  });
  expect(audited).toHaveLength(1);
});

test("a change of the state waits for work that runs, and other accounts are not affected", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const messageId = await acceptTestMessage(account, chatId, "leased");
  await untilStatus(account, messageId, "delivered");
  const lease = (until: Date | null) =>
    prisma().message.updateMany({
      where: { accountId: account.ref.id, id: messageId },
      data: { dispatchAt: until, dispatchLeaseUntil: until },
    });
  await lease(new Date(Date.now() + 60_000));
  const other = await createTestAccount({ type: "sandbox" });
  const order: string[] = [];
  const changed = changeStoppedAccount(account.ref.id, async () => void order.push("changed"));
  await changeStoppedAccount(other.ref.id, async () => void order.push("other changed"));
  for (let round = 0; round < 30; round++) await sql.runText({ text: "select 1" });
  order.push("released");
  await lease(null);
  await changed;
  expect(order).toEqual(["other changed", "released", "changed"]);
});

test("two restores at once both succeed, one after the other", async () => {
  const handle = await createTestPhone(account);
  await converse(handle, await createDirectChat(account, handle));
  const id = await takeSnapshot();
  const before = await readState();
  const answers = await Promise.all([restore(id), restore(id), call("POST /simulator/reset"), restore(id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 200]);
  expect((await restore(id)).status).toBe(200);
  expect(await readState()).toEqual(before);
});

test("a name is used once, an account has at most 10 snapshots, and a snapshot has a size limit", async () => {
  await takeSnapshot("one");
  expect((await call("POST /simulator/snapshots", { name: "one" })).body.error.code).toBe(2015);
  for (let count = 2; count <= 10; count++) await takeSnapshot(`number ${count}`);
  expect((await call("POST /simulator/snapshots", { name: "eleventh" })).body.error.code).toBe(2015);
  const { body } = await call("GET /simulator/snapshots");
  expect(body.snapshots).toHaveLength(10);
  expect((await call(`DELETE /simulator/snapshots/${body.snapshots[0].id}`)).status).toBe(204);
  await takeSnapshot("eleventh");
  expect(() => requireFits({ rows: MAX_ROWS, bytes: 1 })).not.toThrow();
  expect(() => requireFits({ rows: MAX_ROWS + 1, bytes: 1 })).toThrow("more than 20000 rows");
});

test("erased content takes the snapshots with it", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await untilStatus(account, await acceptTestMessage(account, chatId, "secret"), "delivered");
  await takeSnapshot();
  const { eraseCopies } = await import("@/lib/messaging/expiry/content-copies");
  const content = { accountId: account.ref.id, before: new Date(0) };
  await eraseCopies(sql, { ...content, messageIds: [] });
  expect((await call("GET /simulator/snapshots")).body.snapshots).toHaveLength(1);
  await eraseCopies(sql, { ...content, messageIds: [account.ref.id] });
  expect((await call("GET /simulator/snapshots")).body.snapshots).toEqual([]);
});

test("a request that a restore overtakes gets 503 to retry, and stores nothing", async () => {
  const handle = await createTestPhone(account);
  const chatId = await createDirectChat(account, handle);
  const id = await takeSnapshot();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  // The restore has replaced the chat when it waits for the account's row.
  const holder = transaction(async (tx) => {
    await tx.runText({
      text: "select 1 from accounts where id = $1 for no key update",
      values: [account.ref.id],
    });
    await held;
  });
  const restoring = restore(id);
  await untilWaiting(1);
  const body = { message: { parts: [{ type: "text", value: "overtaken" }] } };
  const sending = call(`POST /v3/chats/${chatId}/messages`, body);
  await untilWaiting(2);
  letGo();

  await holder;
  expect((await restoring).status).toBe(200);
  const answer = await sending;
  expect([answer.status, answer.body.error.code]).toEqual([503, 4004]);
  expect(answer.headers.get("retry-after")).not.toBeNull();
  expect((await call(`POST /v3/chats/${chatId}/messages`, body)).status).toBe(202);
});

/** Waits until this many statements in this database wait for a lock. */
function untilWaiting(count: number) {
  return until(async () => {
    const [row] = await sql.runText<{ waiting: number }>({
      text: `select count(*)::int as waiting from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return row?.waiting === count;
  });
}

test("a production account has neither snapshots nor a reset", async () => {
  const production = await createTestAccount({ type: "production" });
  for (const what of ["POST /simulator/reset", "GET /simulator/snapshots"] as const) {
    const { status, body } = await callApi(what, { token: production.token });
    expect([status, body.error.code]).toEqual([403, 2011]);
  }
});
