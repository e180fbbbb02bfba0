import "@/lib/testing/use-test-database";

import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ATTEMPTS, EVENTS, lastNumber, makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { redactEvents } from "@/lib/events/retention/redact-events";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { emitEvents } from "@/lib/events/store/emit-event";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { listPartitions } from "@/lib/platform/database/partitions";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { testEvent } from "@/lib/testing/events/test-event";

const DAY_MS = 86_400_000;
const MESSAGE = "01a00000-0000-7000-8000-0000000000aa";
const never = new AbortController().signal;

let account: TestAccount;

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "sandbox" });
  await sql.runText({ text: "truncate events, webhook_subscriptions cascade" });
});

afterEach(() => setClock(null));

function moveTo(time: string): void {
  setClock({ offsetMs: 0, frozenAt: new Date(time) });
}

async function emit(count: number, type = "chat.created"): Promise<void> {
  const events = Array.from({ length: count }, () => testEvent(account.ref.id, { type, messageId: MESSAGE }));
  await transaction((tx) => emitEvents(tx, events));
}

/** The job runs, and then events are stored, at each time. */
async function emitAt(times: readonly string[], count = 1, type?: string): Promise<void> {
  for (const time of times) {
    moveTo(time);
    await makeEventPartitions(never);
    await emit(count, type);
  }
}

/** The days of the events in each partition that has any, in the order of the log. */
async function filled(table = "events"): Promise<string[][]> {
  const rows = await sql.runText<{ days: string[] }>({
    text: `select array_agg(distinct to_char(e.created_at, 'YYYY-MM-DD')) as days from ${table} t
           join events e on e.seq = t.${table === "events" ? "seq" : "event_seq"} group by t.tableoid order by min(e.seq)`,
  });
  return rows.map(({ days }) => days);
}

async function subscribe(): Promise<void> {
  const body = { target_url: "https://example.com/hook", subscribed_events: ["message.sent"] };
  await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
  await sql.runText({ text: "truncate events" });
}

async function endDeliveries(where = "true"): Promise<void> {
  await sql.runText({
    text: `with ended as (
             update webhook_deliveries set status = 'delivered', run_at = null, ended_at = now() where ${where} returning *)
           insert into webhook_attempts (account_id, delivery_id, event_seq, number, started_at, latency_ms)
           select account_id, id, event_seq, 1, now(), 1 from ended`,
  });
}

test("a partition contains the events of one period, also across the end of a month and of a year", async () => {
  await emitAt(["2029-01-25T10:00:00Z", "2029-02-02T10:00:00Z", "2029-02-03T09:59:00Z"]);
  await emitAt([
    "2029-02-03T10:00:00Z",
    "2029-02-11T23:59:59Z",
    "2029-12-31T23:59:59Z",
    "2030-01-01T00:00:00Z",
  ]);

  expect(await filled()).toEqual([
    ["2029-01-25", "2029-02-02", "2029-02-03"],
    ["2029-02-03", "2029-02-11"],
    ["2029-12-31", "2030-01-01"],
  ]);
  const numbers = await prisma().event.findMany({ select: { seq: true }, orderBy: { createdAt: "asc" } });
  expect(numbers.map(({ seq }) => seq)).toEqual(numbers.map(({ seq }) => seq).sort((a, b) => Number(a - b)));
});

test("a clock that is moved a year ahead and back begins a partition each time", async () => {
  await emitAt(["2031-05-05T00:00:00Z", "2032-05-05T00:00:00Z", "2031-05-05T01:00:00Z"]);
  expect(await filled()).toEqual([["2031-05-05"], ["2032-05-05"], ["2031-05-05"]]);

  // Each is dropped when its own events are old.
  moveTo("2031-08-05T00:00:00Z");
  await makeEventPartitions(never);
  await sweepEvents(never);
  expect(await filled()).toEqual([["2032-05-05"]]);
});

test("partitions are ahead of the log, for events and attempts alike, and without gaps", async () => {
  await emitAt(["2033-01-01T00:00:00Z", "2033-03-01T00:00:00Z"]);
  await makeEventPartitions(never);
  // The current partition and the next.
  const events = (await listPartitions(sql, EVENTS)).slice(-2);
  const attempts = (await listPartitions(sql, ATTEMPTS)).slice(-2);

  const last = await lastNumber(sql);
  expect(events.filter(({ from }) => BigInt(from ?? 0) > last)).toHaveLength(1);
  expect(events.slice(1).map(({ from }) => from)).toEqual(events.slice(0, -1).map(({ to }) => to));
  expect(attempts.map(({ from, to }) => [from, to])).toEqual(events.map(({ from, to }) => [from, to]));
  expect(await makeEventPartitions(never)).toBe(0);
});

test("events whose numbers have no partition yet are stored, and move to the next partition", async () => {
  moveTo("2034-01-01T00:00:00Z");
  await makeEventPartitions(never);
  const end = (await listPartitions(sql, EVENTS)).at(-1)?.to;
  await sql.runText({ text: "select setval('events_seq_seq', $1)", values: [end] });
  await emit(3);
  expect(await sql.runText({ text: "select from events_default" })).toHaveLength(3);

  await makeEventPartitions(never);

  expect(await sql.runText({ text: "select from events_default" })).toHaveLength(0);
  expect(await prisma().event.count()).toBe(3);
});

test("many events without a partition stay where they are, and the next events get a partition again", async () => {
  moveTo("2034-02-01T00:00:00Z");
  await makeEventPartitions(never);
  const end = (await listPartitions(sql, EVENTS)).at(-1)?.to;
  await sql.runText({
    text: `insert into events (account_id, seq, id, type, trace_id, data, created_at)
           select $1, $2::bigint + n, gen_random_uuid(), 'chat.created', 't', '{}', $3 from generate_series(1, 50001) n`,
    values: [account.ref.id, end, new Date("2034-02-01")],
  });
  await sql.runText({ text: "select setval('events_seq_seq', $1)", values: [Number(end) + 50_001] });

  await makeEventPartitions(never);
  await emit(3);

  expect(await sql.runText({ text: "select from events_default" })).toHaveLength(50_001);
  const [newest] = await prisma().event.findMany({ orderBy: { seq: "desc" }, take: 1 });
  const partitions = await listPartitions(sql, EVENTS);
  const own = partitions.filter(
    ({ from, to }) => BigInt(from ?? 0) <= (newest?.seq ?? 0n) && (newest?.seq ?? 0n) < BigInt(to),
  );
  expect(own).toHaveLength(1);
  moveTo("2034-05-03T00:00:00Z");
  await sweepEvents(never);
  expect(await sql.runText({ text: "select from events_default" })).toEqual([]);
});

test("retention drops the partitions of old events with their attempts, and deletes their deliveries", async () => {
  await subscribe();
  await emitAt(["2035-01-01T00:00:00Z", "2035-01-08T00:00:00Z", "2035-01-12T00:00:00Z"], 3, "message.sent");
  await endDeliveries();
  moveTo("2035-04-07T00:00:00Z");
  await makeEventPartitions(never);

  await sweepEvents(never);
  expect(await filled()).toEqual([["2035-01-01", "2035-01-08"], ["2035-01-12"]]);

  moveTo("2035-04-08T01:00:00Z");
  await sweepEvents(never);
  expect(await filled()).toEqual([["2035-01-12"]]);
  expect(await filled("webhook_attempts")).toEqual([["2035-01-12"]]);
  expect(await prisma().webhookDelivery.count()).toBe(3);

  moveTo("2035-04-13T00:00:00Z");
  await sweepEvents(never);
  expect(await prisma().event.count()).toBe(0);
  expect(await prisma().webhookDelivery.count()).toBe(0);
  expect(await prisma().webhookAttempt.count()).toBe(0);
});

test("the deliveries of a dropped partition are deleted in batches, and an aborted sweep continues later", async () => {
  await subscribe();
  await emitAt(["2035-06-01T00:00:00Z"], 2500, "message.sent");
  await endDeliveries();
  moveTo("2035-12-01T00:00:00Z");
  await makeEventPartitions(never);
  const stop = new AbortController();
  const sweeping = sweepEvents(stop.signal);
  stop.abort();
  await sweeping;
  expect(await prisma().event.count()).toBeGreaterThan(0);

  await sweepEvents(never);
  expect(await prisma().event.count()).toBe(0);
  expect(await prisma().webhookDelivery.count()).toBe(0);
  expect(await prisma().webhookAttempt.count()).toBe(0);
});

test("an event with a pending delivery outlives its partition, with its attempts, and goes once it has ended", async () => {
  await subscribe();
  await emitAt(["2036-01-01T00:00:00Z"], 5, "message.sent");
  const [pending] = await prisma().webhookDelivery.findMany({ orderBy: { eventSeq: "asc" } });
  await endDeliveries(`id <> '${pending?.id}'`);
  await sql.runText({
    text: `insert into webhook_attempts (account_id, delivery_id, event_seq, number, started_at, latency_ms)
           select account_id, id, event_seq, 1, now(), 1 from webhook_deliveries where id = $1`,
    values: [pending?.id],
  });
  moveTo("2036-06-01T00:00:00Z");
  await makeEventPartitions(never);

  await sweepEvents(never);

  const kept = await prisma().event.findMany();
  expect(kept.map(({ seq }) => seq)).toEqual([pending?.eventSeq]);
  expect(await prisma().webhookDelivery.findMany()).toMatchObject([{ id: pending?.id, status: "waiting" }]);
  expect(await prisma().webhookAttempt.findMany()).toMatchObject([{ deliveryId: pending?.id }]);
  await sweepEvents(never);
  expect(await prisma().event.count()).toBe(1);

  await sql.runText({
    text: "update webhook_deliveries set status = 'failed', run_at = null, ended_at = now()",
  });
  await sweepEvents(never);
  expect(await prisma().event.count()).toBe(0);
  expect(await prisma().webhookAttempt.count()).toBe(0);
});

test("the sweep sends the same statements for any number of events", async () => {
  async function sweep(count: number, year: number): Promise<number> {
    await emitAt([`${year}-01-01T00:00:00Z`], count);
    moveTo(`${year}-06-01T00:00:00Z`);
    await makeEventPartitions(never);
    const sent = await recordStatements(() => sweepEvents(never));
    expect(await prisma().event.count()).toBe(0);
    return sent.length;
  }
  expect(await sweep(1, 2040)).toBe(await sweep(3000, 2041));
});

test("events are stored while partitions are made and dropped, and exactly the old ones go", async () => {
  const stop = new AbortController();
  const written: { id: string; day: number }[] = [];
  const start = Date.parse("2042-01-01");
  async function write(): Promise<void> {
    while (!stop.signal.aborted) {
      const events = Array.from({ length: 5 }, () => testEvent(account.ref.id, { id: randomUUID() }));
      await transaction((tx) => emitEvents(tx, events));
      written.push(...events.map(({ id = "", at }) => ({ id, day: (at.getTime() - start) / DAY_MS })));
    }
  }
  moveTo("2042-01-01T00:00:00Z");
  const writers = [write(), write()];
  for (let day = 0; day <= 120; day += 10) {
    setClock({ offsetMs: 0, frozenAt: new Date(start + day * DAY_MS) });
    await makeEventPartitions(never);
    await sweepEvents(never);
  }
  stop.abort();
  await Promise.all(writers);

  const rows = await prisma().event.findMany({ select: { id: true, seq: true } });
  const kept = new Set(rows.map(({ id }) => id));
  expect(written.filter(({ id, day }) => day >= 30 && !kept.has(id))).toEqual([]);
  expect(written.filter(({ id, day }) => day < 20 && kept.has(id))).toEqual([]);
  expect(written.some(({ day }) => day < 20)).toBe(true);
  expect(new Set(rows.map(({ seq }) => seq)).size).toBe(rows.length);
});

test("a period ends only between writers, so no number is used twice", async () => {
  await emitAt(["2044-01-01T00:00:00Z"]);
  moveTo("2044-02-01T00:00:00Z");
  let making: Promise<number> | undefined;
  await transaction(async (tx) => {
    await emitEvents(tx, [testEvent(account.ref.id)]);
    making = makeEventPartitions(never);
    await expect(Promise.race([making, untilLocked()])).resolves.toBe("waits");
  });
  await making;
  await emit(1);
  const events = await prisma().event.findMany({ orderBy: { seq: "asc" } });
  expect(events).toHaveLength(3);
  expect(Number(events[2]?.seq) - Number(events[1]?.seq)).toBeGreaterThan(1);
});

test("erasing a message's content reaches its events in every partition", async () => {
  moveTo("2045-01-01T00:00:00Z");
  const data = { message: { parts: [{ type: "text", value: "secret" }] } };
  for (const time of ["2045-01-01T00:00:00Z", "2045-02-01T00:00:00Z", "2045-03-01T00:00:00Z"]) {
    moveTo(time);
    await makeEventPartitions(never);
    await transaction((tx) => emitEvents(tx, [testEvent(account.ref.id, { messageId: MESSAGE, data })]));
  }
  expect(await filled()).toHaveLength(3);

  await transaction((tx) => redactEvents(tx, account.ref.id, [MESSAGE]));

  const rows = await prisma().event.findMany({ select: { data: true } });
  expect(JSON.stringify(rows)).not.toContain("secret");
});

test("an event is looked up by its number in one partition", async () => {
  await emitAt(["2046-01-01T00:00:00Z", "2046-02-01T00:00:00Z", "2046-03-01T00:00:00Z"], 10);
  const [event] = await prisma().event.findMany({ orderBy: { seq: "desc" }, take: 1 });
  const scans = await explainStatements(() =>
    sql.runText({
      name: "one-event",
      text: "select id from events where account_id = $1 and seq = $2",
      values: [account.ref.id, event?.seq],
    }),
  );
  expect(scans.filter(({ on }) => on === "events")).toHaveLength(1);
});
