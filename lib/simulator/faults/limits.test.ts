import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { limitResetOf } from "@/lib/platform/sandbox/limit-resets";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";

const ADVICE = "PUT /simulator/limits";

let account: TestAccount;
let chatId: string;

beforeEach(async () => {
  // Minutes and days pass only when a test says so.
  setClock({ offsetMs: 0, frozenAt: new Date("2026-03-01T12:00:00Z") });
  account = await createTestAccount({ type: "sandbox" });
  chatId = await createDirectChat(account, await createTestPhone(account));
});

afterEach(() => setClock(null));

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });
const setLimits = (body: object) => call("PUT /simulator/limits", body);
const message = { message: { parts: [{ type: "text", value: "hello" }] } };
const send = () => call(`POST /v3/chats/${chatId}/messages`, message);

async function statuses(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) found.push((await send()).status);
  return found;
}

test("the daily limit is set, reached with an error that says how to change the limit, and reset", async () => {
  expect((await setLimits({ daily_messages: 2 })).body).toMatchObject({
    daily_messages: 2,
    messages_today: 0,
  });
  expect(await statuses(2)).toEqual([202, 202]);
  const refused = await send();
  expect([refused.status, refused.body.error.code]).toEqual([429, 1007]);
  expect(refused.body.error.message).toContain(ADVICE);
  expect((await call("GET /simulator/limits")).body.messages_today).toBe(2);

  expect((await setLimits({ reset: true })).body).toMatchObject({ daily_messages: 2, messages_today: 0 });
  expect(await statuses(3)).toEqual([202, 202, 429]);
  await setLimits({ daily_messages: null });
  expect(await statuses(1)).toEqual([202]);
});

test("the limit of messages to one recipient is set and reset", async () => {
  await setLimits({ pair_messages: 3 });
  expect(await statuses(4)).toEqual([202, 202, 202, 429]);
  expect((await send()).body.error.message).toContain(ADVICE);
  await setLimits({ reset: true });
  expect(await statuses(4)).toEqual([202, 202, 202, 429]);
});

test("the limit of requests is set and reset, also when it is reached", async () => {
  await setLimits({ requests_per_minute: 2 });
  const look = () => call("GET /v3/chats");
  expect([await look(), await look(), await look()].map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await look()).body.error.message).toContain(ADVICE);
  expect((await setLimits({ reset: true })).status).toBe(200);
  expect([await look(), await look(), await look()].map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await setLimits({ requests_per_minute: null })).status).toBe(200);
  expect((await look()).status).toBe(200);
});

test("only the path of the limits is exempt from the limit of requests", async () => {
  await setLimits({ requests_per_minute: 1 });
  await call("GET /v3/chats");
  expect((await call("GET /v3/chats?limit=/simulator/limits")).status).toBe(429);
});

test("a reset is of one account", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await setLimits({ reset: true });
  expect(limitResetOf(account.ref.id)).not.toBeNull();
  expect(limitResetOf(other.ref.id)).toBeNull();
});

describe("refused are", () => {
  test.each([{}, { daily_messages: -1 }, { pair_messages: -1 }, { reset: false }])("%j", async (body) => {
    expect((await setLimits(body)).status).toBe(400);
  });

  test("an account with a line on a real network", async () => {
    await sql.runText({
      text: "update lines set transport = 'numeric' where account_id = $1",
      values: [account.ref.id],
    });
    const { status, body } = await setLimits({ daily_messages: null });
    expect([status, body.error.code]).toEqual([403, 2011]);
  });

  test("a production account, whose errors do not name the simulator", async () => {
    const production = await createTestAccount({ type: "production" });
    await sql.runText({
      text: "update accounts set requests_per_minute = 1 where id = $1",
      values: [production.ref.id],
    });
    const get = (path: string) => callApi(`GET ${path}`, { token: production.token });
    expect((await get("/simulator/limits")).body.error.code).toBe(2011);
    await get("/v3/chats");
    const refused = await get("/v3/chats");
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      expect.not.stringContaining("simulator"),
    ]);
  });
});

test("the number of exchanges of a loop is set, and a reset resumes chats on hold", async () => {
  expect((await setLimits({ loop_exchanges: null })).body.loop_exchanges).toBeNull();
  expect((await setLimits({ loop_exchanges: 14 })).status).toBe(400);
  expect((await setLimits({ loop_exchanges: 30 })).body.loop_exchanges).toBe(30);
  await sql.runText({
    text: "update chats set loop_held_at = now(), loop_held_until = now() + interval '1 hour', exchange_count = 30 where id = $1",
    values: [chatId],
  });
  expect(await statuses(1)).toEqual([409]);
  await setLimits({ reset: true });
  expect(await statuses(1)).toEqual([202]);
});
