import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { onWake, wake } from "@/lib/platform/database/wake";
import { now, setClock } from "@/lib/platform/time/clock";
import { followClock } from "@/lib/platform/time/follow-clock";
import { storeClock } from "@/lib/simulator/clock/store-clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

process.env.CLOCK_CONTROL = "1";

const HOUR_SECONDS = 3600;
let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});
afterAll(() => setClock(null));

const change = (body: object) => callApi("PUT /simulator/clock", { token: account.token, body });

function expectNear(at: Date, expectedMs: number): void {
  expect(Math.abs(at.getTime() - expectedMs)).toBeLessThan(5000);
}

test("the clock is advanced, frozen, advanced while frozen, let go from there, and reset", async () => {
  const advanced = await change({ advance_seconds: HOUR_SECONDS });
  expect(advanced).toMatchObject({ status: 200, body: { frozen: false } });
  expectNear(now(), Date.now() + HOUR_SECONDS * 1000);

  const frozen = await change({ frozen: true });
  expect(frozen.body.frozen).toBe(true);
  const stood = now();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(now()).toEqual(stood);

  await change({ advance_seconds: HOUR_SECONDS });
  expect(now().getTime()).toBe(stood.getTime() + HOUR_SECONDS * 1000);

  await change({ frozen: false });
  expectNear(now(), Date.now() + 2 * HOUR_SECONDS * 1000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(now().getTime()).toBeGreaterThan(stood.getTime() + HOUR_SECONDS * 1000);

  const reset = await change({ reset: true });
  expect(reset.body).toMatchObject({ frozen: false, offset_ms: expect.any(Number) });
  expectNear(now(), Date.now());
});

test("every process follows, and what may be due is woken", async () => {
  const leave = await followClock();
  await change({ advance_seconds: HOUR_SECONDS });
  let woken = 0;
  const unsubscribe = onWake("messages", () => woken++);
  // Simulates another process that was notified: its own clock is still the real one.
  setClock(null);
  wake("clock");
  await until(async () => woken > 0);
  expectNear(now(), Date.now() + HOUR_SECONDS * 1000);
  unsubscribe();
  await leave();
  await change({ reset: true });
});

test("a reset takes queued work back with it: what was due stays due, what waited waits no longer than it had to", async () => {
  await change({ advance_seconds: 24 * HOUR_SECONDS });
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const fresh = await acceptTestMessage(account, chatId, "fresh");
  const retried = await acceptTestMessage(account, chatId, "retried");
  await sql.runText({
    text: "update messages set dispatch_attempts = 1, dispatch_at = dispatch_at + interval '1 hour' where id = $1",
    values: [retried],
  });

  await change({ reset: true });

  const rows = await sql.runText<{ id: string; waits_s: number }>({
    text: `select id, extract(epoch from dispatch_at - clock_timestamp())::float8 as waits_s from messages
           where chat_id = $1 and dispatch_at is not null`,
    values: [chatId],
  });
  const waits = new Map(rows.map(({ id, waits_s }) => [id, waits_s]));
  expect(waits.get(fresh)).toBeLessThanOrEqual(0);
  expect(waits.get(retried)).toBeGreaterThan(0);
  expect(waits.get(retried)).toBeLessThanOrEqual(HOUR_SECONDS);
});

test.each([{}, { advance_seconds: -1 }, { reset: false }, { frozen: "yes" }])(
  "%j is refused",
  async (body) => {
    expect((await change(body)).status).toBe(400);
  },
);

test("a late read of the stored clock never brings an earlier time back", async () => {
  const leave = await followClock();
  const start = Date.parse("2027-01-01T00:00:00Z");
  try {
    for (let hour = 0; hour < 40; hour++) {
      const at = new Date(start + hour * 3_600_000);
      // Reads that begin before the change may end after it.
      for (let count = 0; count < 5; count++) wake("clock");
      await storeClock({ at, frozen: true });
      for (let look = 0; look < 4; look++) {
        expect(now()).toEqual(at);
        await sql.runText({ text: "select 1" });
      }
    }
  } finally {
    await storeClock({ reset: true, frozen: false });
    await leave();
  }
});

test("a reset by a process that does not yet follow the advanced clock takes queued work back, too", async () => {
  await change({ advance_seconds: HOUR_SECONDS });
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const id = await acceptTestMessage(account, chatId, "fresh");
  setClock(null);

  await storeClock({ reset: true });

  const rows = await sql.runText({
    text: "select dispatch_at <= clock_timestamp() as due from messages where id = $1",
    values: [id],
  });
  expect(rows).toEqual([{ due: true }]);
});
