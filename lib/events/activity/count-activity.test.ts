import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import type { ActivityMetric } from "@/lib/events/activity/activity";
import type { ActivityRange } from "@/lib/events/activity/activity-range";
import { countActivity } from "@/lib/events/activity/count-activity";
import { readActivity } from "@/lib/events/activity/read-activity";
import { lastFinalEvent } from "@/lib/events/tail/last-final-event";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { percentileOf } from "@/lib/platform/telemetry/latency-steps";
import { now, setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON = Date.UTC(2026, 10, 20, 12);
const never = new AbortController().signal;

let account: TestAccount;

beforeEach(async () => {
  // The account's own events are older than those of the tests.
  setClock({ offsetMs: 0, frozenAt: new Date(NOON - 200 * 24 * HOUR_MS) });
  account = await createTestAccount({ type: "production" });
  setClock({ offsetMs: 0, frozenAt: new Date(NOON) });
});

afterEach(() => setClock(null));

interface AddedEvents {
  type?: string;
  internal?: boolean;
  to?: TestAccount;
  on?: Sql;
}

/** Adds events, one per ms, the last one `minutes` ago. */
async function addEvents(
  count: number,
  minutes: number,
  { type = "message.sent", internal = false, to = account, on = sql }: AddedEvents = {},
): Promise<void> {
  await on.runText({
    text: `insert into events (account_id, id, type, internal, trace_id, data, created_at)
           select $1, gen_random_uuid(), $2, $3, '', '{}', $5::timestamptz - ($4::int - n) * interval '1 ms'
           from generate_series(1, $4::int) n`,
    values: [to.ref.id, type, internal, count, new Date(now().getTime() - minutes * MINUTE_MS)],
  });
}

async function addOptOuts(count: number, minutes: number): Promise<void> {
  const at = now().getTime() - minutes * MINUTE_MS;
  for (let made = 0; made < count; made++) {
    await sql.runText({
      text: `insert into opt_outs (account_id, id, handle, cause, started_at) values ($1, $2, $3, 'person', $4)`,
      values: [
        account.ref.id,
        idAt(at),
        `+1415555${String(minutes * 10 + made).padStart(4, "0")}`,
        new Date(at),
      ],
    });
  }
}

// newId never goes back in time, so ids in the past are built here.
function idAt(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7fff-8000-${newId(Date.now()).slice(-12)}`;
}

async function totalOf(metric: ActivityMetric, range: ActivityRange = "24h", of = account): Promise<number> {
  const buckets = await readActivity(of.context(), range, "UTC");
  return buckets.reduce((sum, { counts }) => sum + counts[metric], 0);
}

async function storedCount(): Promise<number> {
  const [row] = await sql.runText<{ count: number }>({
    text: "select coalesce(sum(count), 0)::int as count from account_hours where account_id = $1",
    values: [account.ref.id],
  });
  return row?.count ?? 0;
}

test("every event counts once, before it is counted, after, and however many processes count", async () => {
  await addEvents(3, 60);
  await addEvents(2, 45, { type: "message.received" });
  await addEvents(4, 1);
  await addOptOuts(2, 50);
  await addOptOuts(1, 2);
  const expectTotals = async () => {
    expect(await totalOf("message.sent")).toBe(7);
    expect(await totalOf("message.received")).toBe(2);
    expect(await totalOf("opt_out")).toBe(3);
  };
  await expectTotals();

  await Promise.all([countActivity(never), countActivity(never), countActivity(never)]);
  await countActivity(never);
  expect(await storedCount()).toBe(11);
  await expectTotals();

  setClock({ offsetMs: 0, frozenAt: new Date(NOON + 15 * MINUTE_MS) });
  await countActivity(never);
  expect(await storedCount()).toBe(12);
  await expectTotals();
});

test("an event is not passed over while a transaction may still store one with a lower number", async () => {
  let counting: Promise<number> | undefined;
  await transaction(async (tx) => {
    await addEvents(1, 1, { on: tx });
    await addEvents(2, 1);
    expect(await lastFinalEvent(sql, AbortSignal.abort())).toBeNull();
    counting = countActivity(never);
  });
  await counting;
  expect(await storedCount()).toBe(3);
});

test("events that are not activity, internal events and other accounts are not counted", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await addEvents(5, 30, { type: "chat.created" });
  await addEvents(5, 30, { internal: true });
  await addEvents(2, 30, { to: other });
  await addEvents(1, 30);
  await countActivity(never);
  expect(await totalOf("message.sent")).toBe(1);
  expect(await totalOf("message.sent", "24h", other)).toBe(2);
  expect(await storedCount()).toBe(1);
});

test("the periods end now, include empty ones, and begin at midnight of the time zone", async () => {
  await addEvents(1, 30 * 60);
  await addEvents(1, 5 * 60);
  const days = await readActivity(account.context(), "30d", "Asia/Kolkata");
  expect(days).toHaveLength(30);
  expect(days.at(-1)?.at.toISOString()).toBe("2026-11-19T18:30:00.000Z");
  // 07:00 UTC is today in India, and 06:00 UTC of the day before is yesterday.
  expect(days.slice(-3).map(({ counts }) => counts["message.sent"])).toEqual([0, 1, 1]);

  const hours = await readActivity(account.context(), "24h", "Asia/Kolkata");
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)?.at.toISOString()).toBe("2026-11-20T12:00:00.000Z");
  expect(hours.at(-6)?.counts["message.sent"]).toBe(1);
});

test.each([
  ["Asia/Kolkata", 17 * 60 + 23],
  ["Asia/Kathmandu", 17 * 60 + 38],
  ["Pacific/Chatham", 60 + 38],
  ["Australia/Adelaide", 22 * 60 + 23],
])("an event at 00:07 in %s belongs to the new day, counted or not", async (zone, minutesAgo) => {
  await addEvents(3, minutesAgo);
  for (let counted = 0; counted < 2; counted++) {
    const days = await readActivity(account.context(), "30d", zone);
    expect(days.slice(-2).map(({ counts }) => counts["message.sent"])).toEqual([0, 3]);
    await countActivity(never);
  }
});

test("a day with a change to standard time has 25 hours", async () => {
  setClock({ offsetMs: 0, frozenAt: new Date(Date.UTC(2026, 9, 26, 12)) });
  await addEvents(1, 13 * 60 + 30);
  const days = await readActivity(account.context(), "30d", "Europe/Berlin");
  expect(days.slice(-3).map(({ at }) => at.toISOString())).toEqual([
    "2026-10-23T22:00:00.000Z",
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ]);
  expect(days.slice(-2).map(({ counts }) => counts["message.sent"])).toEqual([1, 0]);
});

test("midnight UTC does not empty the last 24 hours", async () => {
  setClock({ offsetMs: 0, frozenAt: new Date(Date.UTC(2026, 10, 20, 23, 55)) });
  await addEvents(6, 3);
  setClock({ offsetMs: 0, frozenAt: new Date(Date.UTC(2026, 10, 21, 0, 1)) });
  expect(await totalOf("message.sent")).toBe(6);
});

test("the time from acceptance to delivery is the same before and after it is counted", async () => {
  const { messageId } = await account.sendFirst("+14155550101");
  await sql.runText({
    text: `update messages set created_at = $2::timestamptz - interval '3 seconds', delivered_at = $2 where id = $1`,
    values: [messageId, new Date(NOON - HOUR_MS)],
  });
  await sql.runText({
    text: `insert into events (account_id, id, type, message_id, trace_id, data, created_at)
           values ($1, gen_random_uuid(), 'message.delivered', $2, '', '{}', $3)`,
    values: [account.ref.id, messageId, new Date(NOON - HOUR_MS)],
  });
  const median = async () =>
    percentileOf(
      (await readActivity(account.context(), "24h", "UTC")).flatMap(({ latencies }) => latencies),
      0.5,
    );
  const before = await median();
  expect(before).toBeGreaterThan(2700);
  expect(before).toBeLessThan(3300);

  setClock({ offsetMs: 0, frozenAt: new Date(NOON + HOUR_MS) });
  await countActivity(never);
  expect(await median()).toBe(before);
});

test("the figures of 20,000 counted events are read without them", async () => {
  await addEvents(20_000, 60);
  await countActivity(never);
  await sql.runText({ text: "analyze events" });
  const scans = await explainStatements(async () => {
    expect(await totalOf("message.sent", "90d")).toBe(20_000);
  });
  const read = scans.filter(({ on }) => on.startsWith("events")).reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBeLessThan(5000);
});
