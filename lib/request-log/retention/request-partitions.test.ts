import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import { listPartitions } from "@/lib/platform/database/partitions";
import { firstIdAt } from "@/lib/platform/ids";
import { setClock } from "@/lib/platform/time/clock";
import { clearOldBodies } from "@/lib/request-log/retention/clear-old-bodies";
import { redactRequestBodies } from "@/lib/request-log/retention/redact-request-bodies";
import { makeRequestPartitions, REQUEST_LOG } from "@/lib/request-log/retention/request-partitions";
import { sweepRequests } from "@/lib/request-log/retention/sweep-requests";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { logTestRequests } from "@/lib/testing/log-test-requests";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
});

afterEach(async () => {
  setClock(null);
  process.env.REQUEST_LOG_DAYS = "30";
  await sql.runText({ text: "truncate api_requests" });
});

/** Moves the clock. Ids of a process never go back, so they begin again. */
function moveTo(time: string): void {
  setClock({ offsetMs: 0, frozenAt: new Date(time) });
  Reflect.deleteProperty(globalThis, "trunklineLastId");
}

async function logAt(time: string, count = 1): Promise<void> {
  moveTo(time);
  await logTestRequests(account, count);
}

/** The number of requests in each partition that has any. */
async function filled(): Promise<Record<string, number>> {
  const rows = await sql.runText<{ name: string; count: number }>({
    text: "select tableoid::regclass::text as name, count(*)::int as count from api_requests group by 1 order by 1",
  });
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function partitionOf(time: string): Promise<string> {
  const id = `${new Date(time).getTime().toString(16).padStart(12, "0")}`;
  const partitions = await listPartitions(sql, REQUEST_LOG);
  const found = partitions.find(({ from, to }) => {
    const [low, high] = [from ?? "", to].map((bound) => bound.replaceAll("-", "").slice(0, 12));
    return (low ?? "") <= id && id < (high ?? "");
  });
  return found?.name ?? "api_requests_default";
}

test("partitions are made ahead, without gaps, across the end of a month and of a year", async () => {
  process.env.REQUEST_LOG_DAYS = "10";
  const days = ["2028-02-27", "2028-02-28", "2028-02-29", "2028-03-01", "2028-12-31", "2029-01-01"];
  for (const day of days) {
    moveTo(`${day}T12:00:00Z`);
    await makeRequestPartitions(never);
    await logAt(`${day}T23:59:59.999Z`);
    // The next day's partition exists before the day begins.
    const next = new Date(Date.parse(day) + DAY_MS).toISOString();
    await logAt(next);
    expect(await partitionOf(next)).not.toBe(await partitionOf(`${day}T23:59:59.999Z`));
  }
  const counts = await filled();
  expect(counts.api_requests_default).toBeUndefined();
  expect(Object.values(counts).reduce((total, count) => total + count, 0)).toBe(12);
  await makeRequestPartitions(never);
  expect(await makeRequestPartitions(never)).toBe(0);
});

test("requests of a clock that was moved a year ahead and back move to partitions of their time", async () => {
  await logAt("2029-05-05T10:00:00Z", 2);
  await logAt("2030-05-05T10:00:00Z", 3);
  await logAt("2029-05-05T11:00:00Z", 4);
  expect(await filled()).toEqual({ api_requests_default: 9 });

  await makeRequestPartitions(never);

  expect(await filled()).toEqual({
    [await partitionOf("2029-05-05T10:00:00Z")]: 6,
    [await partitionOf("2030-05-05T10:00:00Z")]: 3,
  });
  const partitions = await listPartitions(sql, REQUEST_LOG);
  const overlaps = partitions.filter(({ from }, at) => (from ?? "") < (partitions[at - 1]?.to ?? ""));
  expect(overlaps).toEqual([]);
});

test("another retention period continues with longer partitions, which do not overlap", async () => {
  process.env.REQUEST_LOG_DAYS = "10";
  moveTo("2031-01-01T00:00:00Z");
  await makeRequestPartitions(never);
  process.env.REQUEST_LOG_DAYS = "90";
  for (const day of ["2031-01-02", "2031-01-09", "2031-01-20"]) {
    moveTo(`${day}T00:00:00Z`);
    await makeRequestPartitions(never);
    await logTestRequests(account, 1);
  }
  expect((await filled()).api_requests_default).toBeUndefined();
});

test("retention drops partitions of old requests and no others, in the same statements for any number", async () => {
  const period = 3 * DAY_MS;
  const startOf = (year: string) => Math.ceil(Date.parse(year) / period) * period;
  const timeAt = (start: number, days: number) => new Date(start + days * DAY_MS).toISOString();
  async function sweepAt(time: string): Promise<number> {
    moveTo(time);
    return (await recordStatements(() => sweepRequests(never))).length;
  }
  async function logDays(start: number, count: number): Promise<void> {
    await sweepAt(timeAt(start, 0));
    for (const day of [0, 2.9, 3, 8.9, 40]) {
      moveTo(timeAt(start, day));
      await makeRequestPartitions(never);
      await logTestRequests(account, count);
    }
  }
  const start = startOf("2032");
  await logDays(start, 3);
  await sweepAt(timeAt(start, 32.9));
  expect(Object.values(await filled())).toEqual([6, 3, 3, 3]);
  const few = await sweepAt(timeAt(start, 33));
  expect(await filled()).toEqual({
    [await partitionOf(timeAt(start, 3))]: 3,
    [await partitionOf(timeAt(start, 8.9))]: 3,
    [await partitionOf(timeAt(start, 40))]: 3,
  });

  const next = startOf("2033");
  await logDays(next, 1500);
  const many = await sweepAt(timeAt(next, 33));

  expect(Object.values(await filled())).toEqual([1500, 1500, 1500]);
  expect(many).toBe(few);
});

test("requests are logged while partitions are made and dropped, and none is lost", async () => {
  const stop = new AbortController();
  const written: string[] = [];
  async function write(): Promise<void> {
    while (!stop.signal.aborted) written.push(...(await logTestRequests(account, 5)));
  }
  moveTo("2034-06-01T00:00:00Z");
  const writers = [write(), write()];
  for (let day = 0; day < 40; day += 4) {
    setClock({ offsetMs: 0, frozenAt: new Date(Date.parse("2034-06-01") + day * DAY_MS) });
    await makeRequestPartitions(never);
    await sweepRequests(never);
  }
  stop.abort();
  await Promise.all(writers);

  const [first] = await listPartitions(sql, REQUEST_LOG);
  const rows = await sql.runText<{ id: string }>({ text: "select id from api_requests" });
  expect(first?.from).not.toBeNull();
  expect(rows.map(({ id }) => id).sort()).toEqual(written.filter((id) => id >= (first?.from ?? "")).sort());
  expect(rows.length).toBeLessThan(written.length);
});

test("a partition that a reader uses is dropped once the reader has finished", async () => {
  await logAt("2035-01-01T00:00:00Z");
  await makeRequestPartitions(never);
  moveTo("2035-03-01T00:00:00Z");
  let sweeping: Promise<number> | undefined;
  await transaction(async (tx) => {
    await tx.runText({ text: "select count(*) from api_requests" });
    sweeping = sweepRequests(never);
    await expect(Promise.race([sweeping, untilLocked()])).resolves.toBe("waits");
  });
  await sweeping;
  expect(await filled()).toEqual({});
});

test("deleting a message empties the bodies of its requests in every partition", async () => {
  const { chatId } = await account.sendFirst("+15550100099");
  const [message] = await sql.runText<{ id: string }>({
    text: "select id from messages where account_id = $1",
    values: [account.ref.id],
  });
  const messageId = message?.id ?? "";
  const named = { chatId, messageIds: [messageId], line: null };
  for (const time of ["2036-01-01T00:00:00Z", "2036-02-01T00:00:00Z"]) {
    moveTo(time);
    await logTestRequests(account, 2, () => ({ named, answerBody: '{"text":"secret"}' }));
    await makeRequestPartitions(never);
  }
  expect(Object.keys(await filled())).toHaveLength(2);

  await transaction((tx) => redactRequestBodies(tx, account.ref.id, [messageId]));

  const bodies = await sql.runText<{ response_body: string | null }>({
    text: "select response_body from api_requests",
  });
  expect(bodies.map((row) => row.response_body)).toEqual([null, null, null, null]);
});

test("an account's own retention empties the bodies of its old requests in every partition, and no others", async () => {
  const times = ["2037-01-01T00:00:00Z", "2037-02-01T00:00:00Z", "2037-03-01T00:00:00Z"];
  for (const time of times) {
    moveTo(time);
    await makeRequestPartitions(never);
    await logTestRequests(account, 2, () => ({ answerBody: '{"text":"secret"}' }));
  }
  const before = new Date("2037-02-15T00:00:00Z");
  const range = { after: firstIdAt(0), until: firstIdAt(before.getTime()), before };

  await clearOldBodies({ accountId: account.ref.id, ...range }, never);

  const kept = await sql.runText<{ partition: string }>({
    text: "select tableoid::regclass::text as partition from api_requests where response_body is not null",
  });
  expect(kept.map(({ partition }) => partition)).toEqual(Array(2).fill(await partitionOf(times[2] ?? "")));
});
