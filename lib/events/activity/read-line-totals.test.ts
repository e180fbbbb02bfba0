import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { lineStep } from "@/lib/events/activity/activity";
import { ACTIVITY_RANGES } from "@/lib/events/activity/activity-range";
import { countActivity } from "@/lib/events/activity/count-activity";
import { countEarlierLineActivity } from "@/lib/events/activity/count-earlier-line-activity";
import { readActivity, readEarlierActivity } from "@/lib/events/activity/read-activity";
import { readLineCoverage, readLineTotals } from "@/lib/events/activity/read-line-totals";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { percentileOf } from "@/lib/platform/telemetry/latency-steps";
import { now, setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 20, 12, 7);
const never = new AbortController().signal;

let account: TestAccount;
let line: string;

beforeEach(async () => {
  setClock({ offsetMs: 0, frozenAt: new Date(NOON - 200 * DAY_MS) });
  account = await createTestAccount({ type: "production" });
  setClock({ offsetMs: 0, frozenAt: new Date(NOON) });
  const [row] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  line = row?.id ?? "";
});

afterEach(() => setClock(null));

async function addLine(): Promise<string> {
  const id = newId(Date.now());
  await sql.runText({
    text: `insert into lines (account_id, id, phone_number, line_type, transport)
           values ($1, $2, $3, 'iMessage', 'simulator')`,
    values: [account.ref.id, id, `+1999${id.replaceAll(/\D/g, "").slice(-10)}`],
  });
  return id;
}

async function addEvents(of: string | null, type: string, count: number, minutes: number): Promise<void> {
  await sql.runText({
    text: `insert into events (account_id, id, type, line_id, trace_id, data, created_at)
           select $1, gen_random_uuid(), $2, $3, '', '{}', $5 from generate_series(1, $4::int)`,
    values: [account.ref.id, type, of, count, new Date(now().getTime() - minutes * MINUTE_MS)],
  });
}

/** Adds an opt-out in a chat, which started `minutes` ago. */
async function addOptOut(chatId: string, minutes: number): Promise<void> {
  const at = NOON - minutes * MINUTE_MS;
  await sql.runText({
    text: `insert into opt_outs (account_id, id, handle, cause, chat_id, started_at) values ($1, $2, '+14155550101', 'person', $3, $4)`,
    values: [account.ref.id, idAt(at), chatId, new Date(at)],
  });
}

/** Removes what is counted by line, as at an upgrade. */
async function uncountLines(): Promise<void> {
  await sql.runText({ text: "delete from line_activity where account_id = $1", values: [account.ref.id] });
  await sql.runText({
    text: "update accounts set line_activity_to = null, line_opt_outs_to = null where id = $1",
    values: [account.ref.id],
  });
}

/** Counts all events and the opt-outs until a minute ago for the account only, as the release before does. */
async function countAccountOnly(sent: number, on: Sql = sql): Promise<void> {
  await on.runText({
    text: `with counted as (
             insert into account_hours (account_id, hour, metric, count) values ($1, $2, 'message.sent', $3) returning 1)
           update accounts set activity_to = (select max(seq) + 1 from events where account_id = $1), opt_outs_to = $4
           where id = $1`,
    values: [account.ref.id, new Date(NOON - 37 * MINUTE_MS), sent, idAt(NOON - MINUTE_MS)],
  });
}

/** Whether the figures of lines contain everything that is kept. */
async function isComplete(): Promise<boolean> {
  return (await readLineCoverage(account.context(), "24h", "UTC")).isComplete;
}

/** The figures of a line in the table, in its own periods, and in the range before. */
async function figuresOf(of: string) {
  const found = (await readLineTotals(account.context(), "24h", "UTC")).get(of);
  const periods = await readActivity(account.context(), "24h", "UTC", of);
  const earlier = await readEarlierActivity(account.context(), "24h", "UTC", of);
  const sent = found?.total.counts["message.sent"] ?? 0;
  expect(periods.reduce((sum, { counts }) => sum + counts["message.sent"], 0)).toBe(sent);
  expect(earlier.counts["message.sent"]).toBe(found?.before.counts["message.sent"] ?? 0);
  return [sent, found?.total.counts["message.failed"] ?? 0, earlier.counts["message.sent"]];
}

test("each event of a line counts once, before it is counted and after, and however many processes count", async () => {
  const other = await addLine();
  await addEvents(line, "message.sent", 3, 60);
  await addEvents(line, "message.sent", 4, 30 * 60);
  await addEvents(line, "message.failed", 2, 50);
  await addEvents(line, "payment.succeeded", 2, 50);
  await addEvents(other, "message.sent", 5, 2);
  await addEvents(null, "message.sent", 9, 2);
  expect(await figuresOf(line)).toEqual([3, 2, 0]);

  await Promise.all([countActivity(never), countActivity(never), countActivity(never)]);
  await countActivity(never);
  expect(await figuresOf(line)).toEqual([3, 2, 4]);
  expect(await figuresOf(other)).toEqual([5, 0, 0]);

  setClock({ offsetMs: 0, frozenAt: new Date(NOON + 15 * MINUTE_MS) });
  await addEvents(line, "message.sent", 1, 0);
  expect(await figuresOf(line)).toEqual([4, 2, 4]);
  await countActivity(never);
  expect(await figuresOf(line)).toEqual([4, 2, 4]);
});

test("an upgraded instance counts the kept events by line on the side, and says so until it has; a release that counts accounts only loses nothing", async () => {
  const sentByAccount = async () =>
    (await readActivity(account.context(), "24h", "UTC")).reduce(
      (sum, { counts }) => sum + counts["message.sent"],
      0,
    );
  const catchUp = () => Promise.all([countEarlierLineActivity(never), countEarlierLineActivity(never)]);
  await addEvents(line, "message.sent", 3, 60);
  const { chatId } = await account.sendFirst("+14155550101");
  await sql.runText({
    text: `insert into opt_outs (account_id, id, handle, cause, chat_id, started_at, ended_at)
           select $1, overlay($2 placing lpad(n::text, 12, '0') from 25)::uuid, '+14155550101', 'person', $3, $4, $4
           from generate_series(1, 10_001) n`,
    values: [account.ref.id, idAt(NOON - 60 * MINUTE_MS), chatId, new Date(NOON - 60 * MINUTE_MS)],
  });
  await countActivity(never);
  await uncountLines();
  expect(await isComplete()).toBe(false);
  expect(await figuresOf(line)).toEqual([0, 0, 0]);
  // The account's figures don't wait for those of its lines.
  await addEvents(line, "message.sent", 4, 40);
  await countActivity(never);
  expect(await sentByAccount()).toBe(7);
  expect(await figuresOf(line)).toEqual([0, 0, 0]);
  await catchUp();
  expect(await isComplete()).toBe(true);
  expect(await figuresOf(line)).toEqual([7, 0, 0]);
  const total = (await readLineTotals(account.context(), "24h", "UTC")).get(line)?.total;
  expect(total?.counts.opt_out).toBe(10_001);

  await addEvents(line, "message.sent", 2, 30);
  await addOptOut(chatId, 5);
  await countAccountOnly(2);
  await catchUp();
  expect(await figuresOf(line)).toEqual([9, 0, 0]);
  expect(await sentByAccount()).toBe(9);
  // Both are counted together again.
  await addEvents(line, "message.sent", 1, 20);
  await countActivity(never);
  expect(await countEarlierLineActivity(never)).toBe(0);
  expect(await figuresOf(line)).toEqual([10, 0, 0]);
  // Opt-outs have a position of their own.
  await sql.runText({
    text: "update accounts set line_opt_outs_to = null where id = $1",
    values: [account.ref.id],
  });
  expect(await isComplete()).toBe(false);
});

test("events and opt-outs that arrive while the count by line waits for the account's row are counted by line once", async () => {
  const { chatId } = await account.sendFirst("+14155550101");
  await addEvents(line, "message.sent", 3, 60);
  await countActivity(never);
  await uncountLines();
  let counting: Promise<number> | undefined;
  await transaction(async (tx) => {
    await tx.runText({
      text: "select from accounts where id = $1 for no key update",
      values: [account.ref.id],
    });
    counting = countEarlierLineActivity(never);
    await untilLocked("line_activity_to");
    await addEvents(line, "message.sent", 2, 30);
    await addOptOut(chatId, 5);
    await countAccountOnly(2, tx);
  });
  await counting;
  await countEarlierLineActivity(never);
  expect(await isComplete()).toBe(true);
  expect(await figuresOf(line)).toEqual([5, 0, 0]);
  const total = (await readLineTotals(account.context(), "24h", "UTC")).get(line)?.total;
  expect(total?.counts.opt_out).toBe(1);
});

test("an account without kept events has nothing left to count by line", async () => {
  const quiet = await createTestAccount({ type: "production" });
  await sql.runText({ text: "delete from events where account_id = $1", values: [quiet.ref.id] });
  await sql.runText({
    text: "update accounts set activity_to = 5, line_activity_to = null where id = $1",
    values: [quiet.ref.id],
  });
  expect((await readLineCoverage(quiet.context(), "24h", "UTC")).isComplete).toBe(true);
});

test("a message that failed after it was sent is one attempt, and an opt-out belongs to the line of its chat", async () => {
  const { chatId, messageId } = await account.sendFirst("+14155550101");
  const at = new Date(NOON - 60 * MINUTE_MS);
  await sql.runText({ text: "update messages set sent_at = $2 where id = $1", values: [messageId, at] });
  await sql.runText({
    text: `insert into events (account_id, id, type, line_id, message_id, trace_id, data, created_at)
           values ($1, gen_random_uuid(), 'message.failed', $2, $3, '', '{}', $4)`,
    values: [account.ref.id, line, messageId, at],
  });
  await addEvents(line, "message.failed", 1, 60);
  for (const [chat, handle] of [
    [chatId, "+14155550101"],
    [null, "+14155550102"],
  ]) {
    await sql.runText({
      text: `insert into opt_outs (account_id, id, handle, cause, chat_id, started_at) values ($1, $2, $3, 'person', $4, $5)`,
      values: [account.ref.id, idAt(at.getTime()), handle, chat, at],
    });
  }
  for (let counted = 0; counted < 2; counted++) {
    const total = (await readLineTotals(account.context(), "24h", "UTC")).get(line)?.total;
    expect([total?.counts["message.failed"], total?.failedAfterSent, total?.counts.opt_out]).toEqual([
      2, 1, 1,
    ]);
    const periods = await readActivity(account.context(), "24h", "UTC", line);
    expect(periods.reduce((sum, { counts }) => sum + counts.opt_out, 0)).toBe(1);
    await countActivity(never);
  }
});

// newId never goes back in time, so ids in the past are built here.
function idAt(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7fff-8000-${newId(Date.now()).slice(-12)}`;
}

test("times of lines are counted in a third of the steps, and their percentiles are accurate to a third", async () => {
  const { messageId } = await account.sendFirst("+14155550101");
  for (const latencyMs of [0.5, 1, 2, 90, 3000, 47_000, 600_000]) {
    await sql.runText({
      text: `with deleted as (delete from line_activity where account_id = $1)
             update messages set created_at = $3::timestamptz - $4 * interval '1 ms', delivered_at = $3 where id = $2`,
      values: [account.ref.id, messageId, new Date(NOON - 60 * MINUTE_MS), latencyMs],
    });
    await sql.runText({
      text: `insert into events (account_id, id, type, line_id, message_id, trace_id, data, created_at)
             values ($1, gen_random_uuid(), 'message.delivered', $2, $3, '', '{}', $4)`,
      values: [account.ref.id, line, messageId, new Date(NOON - 60 * MINUTE_MS)],
    });
    await countActivity(never);
    const { latencies = [] } = (await readLineTotals(account.context(), "24h", "UTC")).get(line)?.total ?? {};
    const median = percentileOf(latencies, 0.5) ?? 0;
    expect(Math.max(median / latencyMs, latencyMs / median)).toBeLessThan(latencyMs < 1 ? 2.1 : 4 / 3);
    expect(latencies.every(({ step }) => step === 0 || step % 3 === 2)).toBe(true);
  }
});

test("another account's line has no figures", async () => {
  const other = await createTestAccount({ type: "production" });
  await addEvents(line, "message.sent", 3, 60);
  await countActivity(never);
  expect((await readLineTotals(other.context(), "90d", "UTC")).size).toBe(0);
  const periods = await readActivity(other.context(), "24h", "UTC", line);
  expect(periods.every(({ counts }) => counts["message.sent"] === 0)).toBe(true);
});

test("the totals of 60 lines over 90 days are read from rows of days, never by a scan of the table", async () => {
  await sql.runText({
    text: `insert into lines (account_id, id, phone_number, line_type, transport)
           select $1, gen_random_uuid(), '+1888' || lpad((n + ($2::bigint % 10000) * 1000)::text, 7, '0'), 'iMessage', 'simulator'
           from generate_series(1, 60) n`,
    values: [account.ref.id, Date.now()],
  });
  await sql.runText({
    text: `insert into line_activity (account_id, line_id, minutes, at, metric, latency_step, count)
           select l.account_id, l.id, 1440, $2::timestamptz - d * interval '1 day', 'message.sent', 0, 10
           from lines l, generate_series(1, 60) d where l.account_id = $1
           union all
           select l.account_id, l.id, 1440, $2::timestamptz - d * interval '1 day', 'message.delivered',
             ${lineStep("'message.delivered'", "step")}, count(*)
           from lines l, generate_series(1, 60) d, generate_series(30, 59) step where l.account_id = $1 group by 1, 2, 4, 6
           union all
           select l.account_id, l.id, 15, $2::timestamptz - q * interval '15 minutes', 'message.sent', 0, 1
           from lines l, generate_series(1, 200) q where l.account_id = $1`,
    values: [account.ref.id, new Date(NOON - (NOON % DAY_MS))],
  });
  await addEvents(line, "message.sent", 20_000, 60);
  await countActivity(never);
  await sql.runText({ text: "analyze events, lines, line_activity" });
  for (const range of ACTIVITY_RANGES) {
    const scans = await explainStatements(async () => {
      const total = (await readLineTotals(account.context(), range, "UTC")).get(line)?.total;
      expect(total?.counts["message.sent"]).toBeGreaterThanOrEqual(20_000);
    });
    const read = (table: string) =>
      scans.filter(({ on }) => on.startsWith(table)).reduce((sum, { rows }) => sum + rows, 0);
    expect(scans.filter(({ node, on }) => node === "Seq Scan" && on.startsWith("line_activity"))).toEqual([]);
    expect(read("events")).toBeLessThan(5000);
    expect(read("line_activity")).toBeLessThan(61 * (60 * (1 + 11) + 96 + 96 + 10));
  }
});

test("whether the range before is counted by line is read from one row, and from none for an account without earlier activity", async () => {
  await Promise.all(Array.from({ length: 5 }, addLine));
  await sql.runText({
    text: `insert into line_activity (account_id, line_id, minutes, at, metric, count)
           select account_id, id, 15, $2, 'message.sent', 1 from lines where account_id = $1`,
    values: [account.ref.id, new Date(NOON - 3 * DAY_MS)],
  });
  const rowsRead = async () => {
    const scans = await explainStatements(() => readLineCoverage(account.context(), "24h", "UTC"));
    const ofLines = scans.filter(({ on }) => on.startsWith("line_activity"));
    return ofLines.reduce((sum, { rows }) => sum + rows, 0);
  };
  expect(await rowsRead()).toBe(0);
  expect((await readLineCoverage(account.context(), "24h", "UTC")).isBeforeKnown).toBe(false);
  await sql.runText({
    text: "insert into account_hours (account_id, hour, metric, count) values ($1, $2, 'message.sent', 6)",
    values: [account.ref.id, new Date(NOON - 3 * DAY_MS)],
  });
  expect(await rowsRead()).toBe(1);
  expect((await readLineCoverage(account.context(), "24h", "UTC")).isBeforeKnown).toBe(true);
});
