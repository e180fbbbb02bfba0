import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { countReceipts } from "@/lib/lines/lines/count-receipts";
import { readReceiptsOfToday } from "@/lib/lines/lines/receipts-of-today";
import { now, setClock } from "@/lib/platform/clock";
import { prisma, sql } from "@/lib/platform/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/explain-statements";

/** Events of a block, which an index does not tell apart. */
const BLOCK = 4096;
const MINUTE_MS = 60_000;
const NOON = Date.UTC(2026, 10, 20, 12);
const never = new AbortController().signal;

let account: TestAccount;
let lineId: string;

beforeEach(async () => {
  // The account's own events are older than those of the tests.
  setClock({ offsetMs: 0, frozenAt: new Date(NOON - 2 * 24 * 60 * MINUTE_MS) });
  account = await createTestAccount({ type: "sandbox" });
  setClock({ offsetMs: 0, frozenAt: new Date(NOON) });
  lineId = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
});

afterEach(() => setClock(null));

/** Adds events, one per ms, the last one `minutes` ago. */
async function addEvents(count: number, minutes: number, type = "message.delivered"): Promise<void> {
  await sql.query({
    text: `insert into events (account_id, id, type, line_id, trace_id, data, created_at)
           select $1, gen_random_uuid(), $2, $3, '', '{}', $5::timestamptz - ($4::int - n) * interval '1 ms'
           from generate_series(1, $4::int) n`,
    values: [account.ref.id, type, lineId, count, new Date(now().getTime() - minutes * MINUTE_MS)],
  });
}

const today = () => readReceiptsOfToday(account.context());
const counted = async () =>
  (await prisma().lineDay.findMany({ where: { accountId: account.ref.id }, orderBy: { day: "asc" } })).map(
    ({ day, delivered }) => [day.toISOString().slice(0, 10), delivered],
  );

test("every receipt counts once, before it is counted, after, and however often the job runs", async () => {
  await addEvents(3, 60);
  await addEvents(2, 45, "message.sent");
  await addEvents(4, 1);
  expect(await today()).toBe(7);

  await Promise.all([countReceipts(never), countReceipts(never), countReceipts(never)]);
  await countReceipts(never);
  expect(await counted()).toEqual([["2026-11-20", 3]]);
  expect(await today()).toBe(7);

  setClock({ offsetMs: 0, frozenAt: new Date(NOON + 15 * MINUTE_MS) });
  await countReceipts(never);
  expect(await counted()).toEqual([["2026-11-20", 7]]);
  await addEvents(1, 0);
  expect(await today()).toBe(8);
});

test("receipts count for the day on which they arrived", async () => {
  await addEvents(2, 60);
  await countReceipts(never);
  setClock({ offsetMs: 0, frozenAt: new Date(NOON + 12.5 * 60 * MINUTE_MS) });
  await addEvents(5, 60);
  await addEvents(3, 20);
  expect(await today()).toBe(3);
  await countReceipts(never);
  expect(await counted()).toEqual([
    ["2026-11-20", 7],
    ["2026-11-21", 3],
  ]);
  expect(await today()).toBe(3);
});

test("an account that is counted for the first time starts at midnight", async () => {
  await addEvents(5, 20 * 60);
  await addEvents(2, 11 * 60);
  expect(await today()).toBe(2);
  await countReceipts(never);
  expect(await counted()).toEqual([["2026-11-20", 2]]);
  expect(await today()).toBe(2);
});

test("receipts of other accounts are not among them, and their counts are separate", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await addEvents(2, 30);
  expect(await readReceiptsOfToday(other.context())).toBe(0);
  await countReceipts(never);
  expect(await readReceiptsOfToday(other.context())).toBe(0);
  expect(await today()).toBe(2);
});

test("a day of 20,000 receipts is read from a row per line, and at most a block of events and those of the last minutes", async () => {
  await addEvents(20_000, 60);
  await countReceipts(never);
  await addEvents(30, 1);
  await sql.query({ text: "analyze events" });

  const scans = await explainStatements(async () => {
    expect(await today()).toBe(20_030);
  });
  expect(scans.filter(({ on }) => on === "line_days").map(({ rows }) => rows)).toEqual([1]);
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(BLOCK + 200);
});
