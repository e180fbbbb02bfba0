import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { prisma, sql } from "@/lib/platform/database/db";
import { readBodies } from "@/lib/request-log/search/read-bodies";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import {
  type ConsumerBench,
  createConsumerBench,
  errorOf,
  idsOf,
  tracesOf,
} from "@/lib/testing/events/consumer-bench";

let bench: ConsumerBench;

beforeEach(async () => {
  bench = await createConsumerBench();
});

/** Stores events that can't be rendered. */
const emitBroken = (count: number) =>
  sql.runText({
    text: `insert into events (account_id, id, type, trace_id, data, created_at)
           select $1, gen_random_uuid(), 'message.sent', 'broken', 'null', now() from generate_series(1, $2::int)`,
    values: [bench.account.ref.id, count],
  });

test("the request log has the ids and types of the events of a poll, not their content", async () => {
  await bench.put();
  await bench.emit(2);
  const requestLog = startRequestLog();
  const batch = await bench.poll({ limit: 2 });
  await requestLog.stop();

  const row = await prisma().apiRequest.findFirstOrThrow({ where: { accountId: bench.account.ref.id } });
  const bodies = readBodies({
    request_body: row.requestBody,
    response_body: row.responseBody,
    body_form: row.bodyForm,
    chat_id: row.chatId,
    message_ids: row.messageIds,
    trace_id: row.traceId,
    line: row.line,
  });
  expect(JSON.parse(bodies.request ?? "")).toEqual({ limit: 2 });
  expect(JSON.parse(bodies.response ?? "")).toEqual({
    events: batch.body.events.map(
      ({ id, envelope }: { id: string; envelope: { event_id: string; event_type: string } }) => ({
        id,
        event_id: envelope.event_id,
        event_type: envelope.event_type,
      }),
    ),
    // The log redacts tokens.
    lease: { ...batch.body.lease, token: expect.not.stringMatching(batch.body.lease.token) },
    lag: batch.body.lag,
  });
});

test("an event at the end of a batch that can't be rendered does not hold the lease after the acknowledgment", async () => {
  await bench.put();
  const good = await bench.emit(1);
  await emitBroken(2);
  const batch = await bench.poll({ limit: 3 });
  expect(tracesOf(batch)).toEqual(good);
  expect((await bench.ack(idsOf(batch)[0] ?? "", batch.body.lease.token)).body.lease).toBeNull();

  expect((await bench.poll()).body).toMatchObject({ events: [], lease: null });
  const later = await bench.emit(1);
  expect(tracesOf(await bench.poll())).toEqual(later);
});

test("a batch of which no event can be rendered is passed without a lease", async () => {
  await bench.put();
  await emitBroken(3);
  const good = await bench.emit(1);
  const batch = await bench.poll({ limit: 2 });
  expect(tracesOf(batch)).toEqual(good);
  expect(batch.body.lag.events).toBe(2);
  expect(errorOf(await bench.poll())).toEqual([409, 2033]);
});

test("a consumer of turns is 400: they belong to a subscription", async () => {
  const refused = await bench.put({ types: ["message.received", "chat.turn"] });
  expect(errorOf(refused)).toEqual([400, 1005]);
  expect(JSON.stringify(refused.body)).toContain("turns belong to webhook subscriptions");
  expect(errorOf(await bench.call("GET /v3/consumers/c"))).toEqual([404, 2034]);
});
