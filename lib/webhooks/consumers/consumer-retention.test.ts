import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { EVENTS, makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { prisma, sql } from "@/lib/platform/database/db";
import { listPartitions } from "@/lib/platform/database/partitions";
import {
  type ConsumerBench,
  createConsumerBench,
  errorOf,
  tracesOf,
} from "@/lib/testing/events/consumer-bench";
import { sweepConsumers } from "@/lib/webhooks/consumers/sweep-consumers";

const never = new AbortController().signal;
const DAY_SECONDS = 86_400;

let bench: ConsumerBench;

beforeEach(async () => {
  await sql.runText({ text: "truncate event_consumers" });
  bench = await createConsumerBench();
});

test("a position whose events retention deleted is 410 with the oldest event, until a seek", async () => {
  await sql.runText({ text: "truncate events" });
  bench = await createConsumerBench(new Date("2050-01-01T00:00:00Z"));
  await makeEventPartitions(never);
  await bench.put();
  const [lost] = await bench.emit(2);
  bench.advance(100 * DAY_SECONDS);
  await makeEventPartitions(never);
  const kept = await bench.emit();
  await bench.put({ start: "now" }, "later");
  await sweepEvents(never);
  expect(await prisma().event.findFirst({ where: { traceId: lost ?? "" } })).toBeNull();

  const oldest = String((await prisma().event.findFirst({ where: { traceId: kept[0] ?? "" } }))?.seq);
  const refused = await bench.poll();
  expect(errorOf(refused)).toEqual([410, 2032]);
  expect(refused.body.error.oldest).toBe(oldest);
  expect((await bench.call("GET /v3/consumers/c")).body.has_expired_events).toBe(true);
  expect((await bench.poll({}, "later")).status).toBe(200);
  expect(errorOf(await bench.seek("1"))).toEqual([410, 2032]);
  expect(errorOf(await bench.seek("2050-01-01T00:00:00Z"))).toEqual([410, 2032]);
  expect(errorOf(await bench.put({ start: "1" }, "new"))).toEqual([410, 2032]);

  expect((await bench.seek("oldest")).body.has_expired_events).toBe(false);
  expect(tracesOf(await bench.poll())).toEqual(kept);
});

test("events that a sweep deletes one by one are not skipped either", async () => {
  await bench.put();
  // Events without a partition are in the default partition.
  const end = (await listPartitions(sql, EVENTS)).at(-1)?.to;
  await sql.runText({ text: "select setval('events_seq_seq', $1)", values: [end] });
  await bench.emit(2, { at: new Date("2001-01-01T00:00:00Z") });
  await sweepEvents(never);
  const left = await prisma().event.count({
    where: { accountId: bench.account.ref.id, createdAt: { lt: new Date("2002-01-01") } },
  });
  expect(left).toBe(0);
  expect(errorOf(await bench.poll())).toEqual([410, 2032]);
});

test("an idle consumer is warned about after 23 days and deleted a week later, unless it is used", async () => {
  await bench.put({}, "idle");
  await bench.put({}, "used");
  const notices = () =>
    prisma().accountNotice.findMany({ where: { accountId: bench.account.ref.id, kind: "consumer_idle" } });
  bench.advance(22 * DAY_SECONDS);
  await sweepConsumers(never);
  expect(await notices()).toEqual([]);

  bench.advance(DAY_SECONDS);
  await sweepConsumers(never);
  await sweepConsumers(never);
  expect((await notices()).map(({ title }) => title).sort()).toEqual([
    "The event consumer idle is not used",
    "The event consumer used is not used",
  ]);
  await bench.poll({}, "used");
  bench.advance(6 * DAY_SECONDS);
  expect(await sweepConsumers(never)).toBe(0);
  expect((await notices()).filter(({ dismissedAt }) => dismissedAt !== null)).toHaveLength(1);

  bench.advance(DAY_SECONDS);
  expect(await sweepConsumers(never)).toBe(1);
  expect((await notices()).filter(({ dismissedAt }) => dismissedAt === null)).toEqual([]);
  expect(errorOf(await bench.poll({}, "idle"))).toEqual([404, 2034]);
  expect((await bench.poll({}, "used")).status).toBe(200);
  expect(
    await prisma().auditEntry.findMany({
      where: { accountId: bench.account.ref.id, action: "consumer.expired" },
    }),
  ).toHaveLength(1);
});

test("a consumer is not deleted without a week of warning, however long the job did not run", async () => {
  await bench.put();
  bench.advance(90 * DAY_SECONDS);
  expect(await sweepConsumers(never)).toBe(0);
  bench.advance(6 * DAY_SECONDS);
  expect(await sweepConsumers(never)).toBe(0);
  bench.advance(DAY_SECONDS);
  expect(await sweepConsumers(never)).toBe(1);
});

test("a lease from before the clock was set back does not hold up the consumer", async () => {
  await bench.put();
  await bench.emit();
  bench.advance(DAY_SECONDS);
  expect((await bench.poll()).status).toBe(200);
  bench.advance(-DAY_SECONDS);
  expect((await bench.poll()).status).toBe(200);
});
