import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createToken } from "@/lib/identity/tokens/create-token";
import { sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { now, platformTimeAt, setClock } from "@/lib/platform/time/clock";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { changedClock } from "@/lib/simulator/clock/store-clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  untilStatus,
} from "@/lib/testing/factories";
import { startReceiver } from "@/lib/testing/servers/start-receiver";

process.env.CLOCK_CONTROL = "1";

const HOUR_MS = 3_600_000;

let account: TestAccount;
/** Resets the clock, whatever happens to the account of a test. */
let keeper: TestAccount;
let worker: Worker;

beforeAll(async () => {
  keeper = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(async () => {
  await worker.stop();
  setClock(null);
});

beforeEach(async () => {
  await control({ reset: true, freeze: true }, keeper);
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => control({ reset: true }, keeper));

async function control(body: object, as = account) {
  const answer = await callApi("POST /simulator/clock", { token: as.token, body });
  expect(answer.status).toBe(200);
  return answer.body;
}

const run = (advance?: string | number) =>
  control({ run_until_idle: true, ...(advance === undefined ? {} : { advance }) });

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

test("the edit window closes after 15 minutes", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const id = await acceptTestMessage(account, chatId, "se you");
  await untilStatus(account, id, "delivered");
  await control({ advance: "14m" });
  expect((await call(`PATCH /v3/messages/${id}`, { text: "see you" })).status).toBe(200);
  await control({ advance: "2m" });
  const late = await call(`PATCH /v3/messages/${id}`, { text: "see you!" });
  expect([late.status, late.body.error.code]).toEqual([409, 2015]);
});

test("a message that waits for a phone without a connection is no work to wait for", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await changeTestPhone(account, phone, { connection: "airplane_mode" });
  const id = await acceptTestMessage(account, chatId);
  await untilStatus(account, id, "sent");

  expect(await run("1h")).toMatchObject({ is_idle: true });
  await changeTestPhone(account, phone, { connection: "online" });
  await run("1h");
  await untilStatus(account, id, "delivered");
});

test("the retry ladder of a failing endpoint runs to its end, each attempt at its time", async () => {
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const body = { target_url: receiver.url, subscribed_events: ["message.received"] };
  expect((await call("POST /v3/webhook-subscriptions", body)).status).toBe(201);
  await createDirectChat(account, await createTestPhone(account));
  const { ran, is_idle, frozen } = await run();
  await receiver.close();

  const ladder = env().WEBHOOK_RETRY_SECONDS;
  expect({ is_idle, frozen }).toEqual({ is_idle: true, frozen: true });
  expect(ran).toEqual([{ type: "webhook_delivery", count: ladder.length }]);
  const attempts = await sql.runText<{ started_at: Date }>({
    text: "select started_at from webhook_attempts where account_id = $1 order by number",
    values: [account.ref.id],
  });
  const waits = attempts.slice(1).map(({ started_at }, index) => {
    const before = attempts[index]?.started_at.getTime() ?? 0;
    return (started_at.getTime() - before) / 1000;
  });
  expect(waits).toHaveLength(ladder.length);
  for (const [index, wait] of waits.entries()) {
    expect(wait / (ladder[index] ?? 1)).toBeGreaterThanOrEqual(0.9);
    expect(wait / (ladder[index] ?? 1)).toBeLessThanOrEqual(1.1);
  }
});

test("a clock that stands still leaves a turn open, and closes it after the quiet", async () => {
  const receiver = await startReceiver();
  const body = { target_url: receiver.url, subscribed_events: ["chat.turn"] };
  expect((await call("POST /v3/webhook-subscriptions", body)).status).toBe(201);
  await createDirectChat(account, await createTestPhone(account));
  expect(await run(1.9)).toMatchObject({ frozen: true, is_idle: true, ran: [] });
  expect(receiver.received).toEqual([]);
  const { ran, now: closedAt } = await run(0.1);
  expect(ran).toContainEqual({ type: "chat_turn", count: 1 });
  const { event } = await receiver.next("chat.turn");
  expect(event.data).toMatchObject({ reason: "quiet", closed_at: closedAt });
  await receiver.close();
});

test("a payment request expires after 24 hours, and a phone with a delay receives in between, in this order", async () => {
  const phone = await createTestPhone(account, { delay_ms: 5 * HOUR_MS, read_after_ms: HOUR_MS });
  const id = await acceptTestMessage(account, await createDirectChat(account, phone));
  await untilStatus(account, id, "sent");
  const request = await call("POST /v3/payment_requests", { amount: 500, currency: "usd" });
  expect(request.status).toBe(201);
  const startedAt = now().getTime();

  const { ran, now: after, is_idle } = await run("25h");
  expect(is_idle).toBe(true);
  expect(new Date(after).getTime()).toBe(startedAt + 25 * HOUR_MS);
  const types = ran.map(({ type }: { type: string }) => type);
  expect(types.indexOf("receipt")).toBeLessThan(types.indexOf("payment_request"));
  expect(ran).toContainEqual({ type: "receipt", count: 2 });
  const expired = await call(`GET /v3/payment_requests/${request.body.id}`);
  expect(expired.body.status).toBe("expired");
  const times = await sql.runText<{ type: string; hours: number }>({
    text: `select type, round(extract(epoch from created_at - $2::timestamptz) / 3600)::int as hours from events
           where account_id = $1 and type in ('message.delivered', 'message.read', 'payment.expired')
           order by seq`,
    values: [account.ref.id, new Date(startedAt)],
  });
  expect(times).toEqual([
    { type: "message.delivered", hours: 5 },
    { type: "message.read", hours: 6 },
    { type: "payment.expired", hours: 24 },
  ]);
});

test("the daily limit is reset at midnight, and a token and a trial end at their times", async () => {
  await updateAccountOptions(account.context(), { body: { daily_messages: 2 } });
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await acceptTestMessage(account, chatId);
  const send = () =>
    call(`POST /v3/chats/${chatId}/messages`, { message: { parts: [{ type: "text", value: "hi" }] } });
  expect((await send()).status).toBe(429);
  await control({ advance: "24h" });
  expect((await send()).status).toBe(202);

  const { token } = await createToken(account.context(), { name: "short", expires_in_days: 30 });
  const expiresAt = new Date(now().getTime() + 31 * 24 * HOUR_MS).toISOString();
  await updateAccountOptions(account.context(), { body: { expires_at: expiresAt } });
  const statusOf = async (of: string) => (await callApi("GET /v3/chats", { token: of })).status;
  const advance = (time: string) => control({ advance: time, run_until_idle: true }, keeper);
  const { ran } = await advance("29d");
  expect(ran).toContainEqual({ type: "api_token", count: 2 });
  expect([await statusOf(token), await statusOf(account.token)]).toEqual([200, 200]);
  await advance("25h");
  expect([await statusOf(token), await statusOf(account.token)]).toEqual([401, 200]);
  await advance("24h");
  expect([await statusOf(token), await statusOf(account.token)]).toEqual([401, 403]);
  const types = await sql.runText<{ type: string }>({
    text: "select type from events where account_id = $1 and type like 'api_token.exp%'",
    values: [account.ref.id],
  });
  expect(types).toEqual([{ type: "api_token.expired" }]);
});

test("a clock that ran goes on from the end of the run, at its rate", async () => {
  await control({ freeze: false });
  const before = Date.now();
  const { frozen, rate, now: at } = await control({ rate: 1000, advance: "1h", run_until_idle: true });
  expect({ frozen, rate }).toEqual({ frozen: false, rate: 1000 });
  expect(new Date(at).getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
  const phone = await createTestPhone(account, { delay_ms: 20_000 });
  const id = await acceptTestMessage(account, await createDirectChat(account, phone));
  // 20 seconds of the platform clock.
  await untilStatus(account, id, "delivered");
});

test("the time of a clock follows from its setting", () => {
  const wall = new Date("2026-03-01T00:00:00Z");
  const later = (ms: number) => new Date(wall.getTime() + ms);
  const fast = changedClock({ offsetMs: 5, frozenAt: null }, wall, { rate: 60 });
  expect(platformTimeAt(fast, wall)).toEqual(later(5));
  expect(platformTimeAt(fast, later(1000))).toEqual(later(60_005));
  const frozen = changedClock(fast, later(1000), { frozen: true });
  expect(platformTimeAt(frozen, later(9000))).toEqual(later(60_005));
  const goesOn = changedClock(frozen, later(9000), { frozen: false, advanceMs: 10 });
  expect(platformTimeAt(goesOn, later(10_000))).toEqual(later(120_015));
  expect(changedClock(goesOn, later(10_000), { reset: true })).toEqual({
    offsetMs: 0,
    frozenAt: null,
    rate: undefined,
  });
});

test.each([
  [{}, 1003],
  [{ run_until_idle: false }, 1003],
  [{ advance: "16 minutes" }, 1005],
  [{ advance: "367d" }, 1005],
  [{ advance: -1 }, 1005],
  [{ rate: 0 }, 1005],
])("%j is refused", async (body, code) => {
  const answer = await call("POST /simulator/clock", body);
  expect([answer.status, answer.body.error.code]).toEqual([400, code]);
});
