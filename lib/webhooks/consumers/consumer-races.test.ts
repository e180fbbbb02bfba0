import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { prisma, type Sql, sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import type { ApiAnswer } from "@/lib/testing/call-api";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import {
  type ConsumerBench,
  connection,
  createConsumerBench,
  errorOf,
  idsOf,
  tracesOf,
} from "@/lib/testing/events/consumer-bench";
import { testEvent } from "@/lib/testing/events/test-event";
import { serveApi } from "@/lib/testing/serve-api";
import { pollConsumer } from "@/lib/webhooks/consumers/poll-consumer";
import { resolvePosition } from "@/lib/webhooks/consumers/resolve-position";

let bench: ConsumerBench;

beforeEach(async () => {
  bench = await createConsumerBench();
});

test("a long run of events for others is passed in one poll", async () => {
  await bench.put({ types: ["message.read"] });
  await sql.runText({
    text: `insert into events (account_id, id, type, trace_id, data, created_at)
           select $1, gen_random_uuid(), 'message.sent', 't', '{}', now() from generate_series(1, 12000)`,
    values: [bench.account.ref.id],
  });
  const [wanted] = await bench.emit(1, { type: "message.read" });
  expect(tracesOf(await bench.poll())).toEqual([wanted]);
});

test("an event whose transaction commits late is neither skipped nor returned after a later one", async () => {
  await bench.put();
  const client = await connection();
  await client.query("begin");
  const early = newTraceId();
  const event = testEvent(bench.account.ref.id);
  await client.query(
    `insert into events (account_id, id, type, trace_id, data, created_at) values ($1, $2, $3, $4, $5, now())`,
    [bench.account.ref.id, newId(Date.now()), event.type, early, JSON.stringify(event.data)],
  );
  const [late] = await bench.emit();

  const polling = bench.poll();
  // A poll that did not wait would have ended by now.
  expect(await Promise.race([polling, sleep(300)])).toBeUndefined();
  await client.query("commit");

  expect(tracesOf(await polling)).toEqual([early, late]);
});

test("while a transaction that stores events does not end, a poll is 503 and skips nothing", async () => {
  await bench.put();
  const client = await connection();
  await client.query("begin; lock table events in row exclusive mode");
  const [trace] = await bench.emit();
  expect(errorOf(await bench.poll())).toEqual([503, 4004]);
  await client.query("commit");
  expect(tracesOf(await bench.poll())).toEqual([trace]);
});

test("of two polls at the same time, one gets the lease", async () => {
  await bench.put();
  await bench.emit(5);
  const client = await connection();
  await client.query("begin");
  await client.query("select from event_consumers where account_id = $1 for update", [bench.account.ref.id]);
  const polls = [bench.poll(), bench.poll(), bench.poll()];
  await untilLocked();
  await client.query("commit");

  const answers = await Promise.all(polls);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.filter(({ status }) => status === 409).map(errorOf)).toEqual([
    [409, 2033],
    [409, 2033],
  ]);
});

test("a poll at the same time as an acknowledgment or a seek looks again, and is no 409", async () => {
  await bench.put();
  const [, second] = await bench.emit(2);
  const client = await connection();
  await client.query("begin");
  // As an acknowledgment of the first event moves it.
  await client.query(
    `update event_consumers set position = (select max(seq) - 1 from events where account_id = $1) where account_id = $1`,
    [bench.account.ref.id],
  );
  const polling = bench.poll();
  await untilLocked();
  await client.query("commit");
  expect(tracesOf(await polling)).toEqual([second]);
});

test("a start at a time, or after an event, does not pass an event that commits late", async () => {
  const { account } = bench;
  await bench.put();
  bench.advance(60);
  const at = now();
  const client = await connection();
  const early = newId(Date.now());
  let late: string | undefined;
  const insert = () =>
    client.query(
      `insert into events (account_id, id, type, trace_id, data, created_at) values ($1, $2, 'message.sent', $3, '{}', $4)`,
      [account.ref.id, early, newTraceId(), at],
    );
  // Between the end of the log and the search, a transaction takes a number, and the next one commits first.
  const meanwhile: Sql = {
    ...sql,
    async run(statement, ...parameters) {
      if (statement.name === "consumer-first-seq-since") {
        await client.query("begin");
        await insert();
        [late] = await bench.emit();
      }
      return sql.run(statement, ...parameters);
    },
  };
  const position = await resolvePosition(meanwhile, account.context(), at.toISOString());

  const stored = await prisma().event.findFirst({ where: { traceId: late ?? "" } });
  expect(errorOf(await bench.seek(stored?.id ?? ""))).toEqual([503, 4004]);
  await client.query("commit");
  const { seq } = await prisma().event.findFirstOrThrow({ where: { id: early } });
  expect(position).toBeLessThan(Number(seq));
  expect((await bench.seek(stored?.id ?? "")).body.position).toBe(String(stored?.seq));
});

test("of two creations at the same time with other bodies, one wins, and the 51st consumer is 409", async () => {
  const client = await connection();
  await client.query("begin");
  await client.query("select from accounts where id = $1 for update", [bench.account.ref.id]);
  const both = [bench.put({ types: ["message.sent"] }), bench.put({ types: ["message.read"] })];
  await untilLocked();
  await client.query("commit");
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);

  for (let number = 2; number <= 50; number++) await bench.put({}, `c${number}`);
  expect(errorOf(await bench.put({}, "c51"))).toEqual([409, 2015]);
  expect((await bench.put({}, "c50")).status).toBe(200);
  await bench.call("DELETE /v3/consumers/c50");
  expect((await bench.put({}, "c51")).status).toBe(200);
});

test("a waiting poll returns when an event is stored, and empty when the time is over", async () => {
  await bench.put();
  expect((await bench.poll({ wait_seconds: 1 })).body.events).toEqual([]);
  const waiting = bench.poll({ wait_seconds: 30 });
  await bench.emit(1, { internal: true });
  const [trace] = await bench.emit();
  expect(tracesOf(await waiting)).toEqual([trace]);
});

test("waiting polls hold no connection and count as open streams", async () => {
  await bench.put();
  const gone = new AbortController();
  const { baseUrl, close } = await serveApi();
  const waiting = Array.from({ length: env().STREAMS_PER_ACCOUNT + 1 }, () =>
    fetch(`${baseUrl}/v3/consumers/c/poll`, {
      method: "POST",
      headers: { authorization: `Bearer ${bench.account.token}`, "content-type": "application/json" },
      body: JSON.stringify({ wait_seconds: 30 }),
      signal: gone.signal,
    }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  // More wait than the process has connections.
  expect(await Promise.race(waiting)).toBe(429);
  expect((await bench.call("GET /v3/consumers/c")).status).toBe(200);
  gone.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([0, 429]));
  await bench.emit();
  expect((await bench.poll()).body.events).toHaveLength(1);
  await close();
});

test("a poll whose caller has disconnected gives its lease back", async () => {
  await bench.put();
  await bench.emit();
  const input = {
    params: { name: "c" },
    query: undefined,
    body: { limit: 1, wait_seconds: 0, lease_seconds: 600 },
  };
  await pollConsumer(bench.account.context(), input, AbortSignal.abort(), AbortSignal.abort());
  expect((await bench.poll()).status).toBe(200);
});

test("a poll and an acknowledgment are two and one round trips, for any number of events", async () => {
  await bench.put();
  async function measure(count: number): Promise<number[]> {
    await bench.emit(count);
    let batch: ApiAnswer | undefined;
    const polled = await recordStatements(async () => {
      batch = await bench.poll({ limit: 250 });
    });
    const acked = await recordStatements(async () => {
      await bench.ack(idsOf(batch as ApiAnswer).at(-1) ?? "", batch?.body.lease.token);
    });
    return [polled, acked].map((sent) => sent.filter((each) => /event/.test(JSON.stringify(each))).length);
  }
  expect(await measure(1)).toEqual([2, 1]);
  expect(await measure(240)).toEqual([2, 1]);
});
