import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { createToken } from "@/lib/identity/tokens/create-token";
import { createLine } from "@/lib/lines/lines/create-line";
import { prisma, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { createTestAccount } from "@/lib/testing/create-test-account";
import {
  type ConsumerBench,
  createConsumerBench,
  errorOf,
  idsOf,
  tracesOf,
} from "@/lib/testing/events/consumer-bench";
import { testEvent } from "@/lib/testing/events/test-event";

let bench: ConsumerBench;

beforeEach(async () => {
  bench = await createConsumerBench();
});

test("a consumer returns the events after its creation in order, as a webhook of its version has them", async () => {
  await bench.emit();
  expect((await bench.put()).body).toMatchObject({
    name: "c",
    types: [],
    phone_numbers: null,
    version: "2026-02-03",
    start: "now",
    leased_until: null,
    has_expired_events: false,
    lag: { events: 0, oldest_at: null },
    last_polled_at: null,
  });
  const traces = await bench.emit(3);

  const first = await bench.poll({ limit: 2 });
  expect(tracesOf(first)).toEqual(traces.slice(0, 2));
  expect(first.body.lag).toEqual({ events: 3, oldest_at: expect.any(String) });
  expect(first.body.events[0].envelope).toMatchObject({
    api_version: "v3",
    webhook_version: "2026-02-03",
    event_type: "message.sent",
    partner_id: bench.account.ref.partnerId,
    data: expect.any(Object),
  });
  const stored = await prisma().event.findFirst({ where: { traceId: traces[0] ?? "" } });
  expect(first.body.events[0]).toMatchObject({ id: String(stored?.seq), envelope: { event_id: stored?.id } });

  expect((await bench.ack(idsOf(first)[1] ?? "", first.body.lease.token)).body.lease).toBeNull();
  const second = await bench.poll();
  expect(tracesOf(second)).toEqual(traces.slice(2));
  await bench.ack(idsOf(second)[0] ?? "", second.body.lease.token);
  expect((await bench.poll()).body).toEqual({ events: [], lease: null, lag: { events: 0, oldest_at: null } });
});

test("creation is idempotent for the same body, and 409 for another", async () => {
  const body = { types: ["message.sent", "message.read"], version: "2025-01-01", start: "oldest" };
  const created = await bench.put(body);
  await bench.emit();
  const batch = await bench.poll();
  await bench.ack(idsOf(batch)[0] ?? "", batch.body.lease.token);

  const again = await bench.put({ ...body, types: ["message.read", "message.sent"] });
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ created_at: created.body.created_at, position: idsOf(batch)[0] });
  for (const other of [
    { ...body, start: "now" },
    { ...body, types: [] },
    { ...body, version: "2026-02-03" },
  ]) {
    expect(errorOf(await bench.put(other))).toEqual([409, 2015]);
  }
});

test("invalid names, bodies, lines and positions are rejected, each with its reason", async () => {
  expect(errorOf(await bench.put({}, "No"))).toEqual([400, 1005]);
  expect(errorOf(await bench.put({}, "a".repeat(65)))).toEqual([400, 1005]);
  expect((await bench.put({}, "a.b_c-9")).status).toBe(200);
  expect(errorOf(await bench.put({ types: ["message.unknown"] }))).toEqual([400, 1005]);
  expect(errorOf(await bench.put({ phone_numbers: ["+15550009999"] }))).toEqual([403, 2006]);
  expect(errorOf(await bench.put({ start: "yesterday" }))).toEqual([400, 1005]);
  expect(errorOf(await bench.put({ start: "999999999999" }))).toEqual([400, 1005]);
  expect(errorOf(await bench.put({ start: newId(Date.now()) }))).toEqual([400, 1005]);
  await bench.put();
  for (const body of [
    { limit: 0 },
    { limit: 251 },
    { wait_seconds: 31 },
    { lease_seconds: 9 },
    { lease_seconds: 601 },
  ])
    expect(errorOf(await bench.poll(body))).toEqual([400, 1005]);
  expect(errorOf(await bench.call("POST /v3/consumers/c/ack", { up_to: "1" }))).toEqual([400, 1001]);
  expect(errorOf(await bench.call("POST /v3/consumers/c/seek", {}))).toEqual([400, 1001]);
  expect(errorOf(await bench.seek("never"))).toEqual([400, 1005]);
});

test("an unknown consumer, and one of another account, is 404/2034", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await bench.call("PUT /v3/consumers/theirs", {}, other.token);
  for (const name of ["none", "theirs"]) {
    expect(errorOf(await bench.call(`GET /v3/consumers/${name}`))).toEqual([404, 2034]);
    expect(errorOf(await bench.call(`DELETE /v3/consumers/${name}`))).toEqual([404, 2034]);
    expect(errorOf(await bench.poll({}, name))).toEqual([404, 2034]);
    expect(errorOf(await bench.ack("1", newId(Date.now()), name))).toEqual([404, 2034]);
    expect(errorOf(await bench.call(`POST /v3/consumers/${name}/seek`, { after: "now" }))).toEqual([
      404, 2034,
    ]);
  }
});

test("a poll during a lease is 409 with Retry-After, and after its end returns the same events", async () => {
  await bench.put();
  await bench.emit(2);
  const first = await bench.poll({ lease_seconds: 30 });
  bench.advance(10);
  const refused = await bench.poll();
  expect(errorOf(refused)).toEqual([409, 2033]);
  expect([refused.headers.get("retry-after"), refused.headers.get("x-should-retry")]).toEqual(["20", "true"]);
  expect((await bench.call("GET /v3/consumers/c")).body.leased_until).toBe(first.body.lease.expires_at);

  bench.advance(20);
  const again = await bench.poll();
  expect(again.body.events).toEqual(first.body.events);
  expect(again.body.lease.token).not.toBe(first.body.lease.token);
});

test("an acknowledgment after the lease expired, or with another's lease, is 409 and changes nothing", async () => {
  await bench.put();
  await bench.emit(2);
  const first = await bench.poll({ lease_seconds: 10 });
  const [, last = ""] = idsOf(first);
  expect(errorOf(await bench.ack(last, newId(Date.now())))).toEqual([409, 2015]);
  bench.advance(10);
  expect(errorOf(await bench.ack(last, first.body.lease.token))).toEqual([409, 2015]);
  const second = await bench.poll();
  expect(errorOf(await bench.ack(last, first.body.lease.token))).toEqual([409, 2015]);
  expect(idsOf(second)).toEqual(idsOf(first));
  expect((await bench.ack(last, second.body.lease.token)).status).toBe(200);
});

test("a partial acknowledgment extends the lease; below the position it does nothing; beyond the batch it is 400", async () => {
  await bench.put();
  await bench.emit(3);
  const batch = await bench.poll({ limit: 2, lease_seconds: 30 });
  const [first = "", second = ""] = idsOf(batch);
  const lease = batch.body.lease.token;
  bench.advance(20);
  const partial = await bench.ack(first, lease);
  expect(partial.body).toEqual({ position: first, lease: { token: lease, expires_at: expect.any(String) } });
  expect(Date.parse(partial.body.lease.expires_at) - Date.parse(batch.body.lease.expires_at)).toBe(20_000);
  expect((await bench.ack(first, lease)).body).toEqual(partial.body);
  expect((await bench.ack("0", newId(Date.now()))).body).toEqual({ position: first, lease: null });
  expect(errorOf(await bench.ack(String(Number(second) + 1), lease))).toEqual([400, 1005]);
  const full = { position: second, lease: null };
  expect((await bench.ack(second, lease)).body).toEqual(full);
  // The response to an acknowledgment can get lost, so that it is repeated.
  expect((await bench.ack(second, lease)).body).toEqual(full);
});

test("seek moves by event, event id, time and end, and ends the lease", async () => {
  await bench.put();
  // After the events of the account's creation.
  bench.advance(60);
  const traces = await bench.emit(1);
  bench.advance(60);
  traces.push(...(await bench.emit(2)));
  const batch = await bench.poll();
  const [first = "", second = ""] = idsOf(batch);

  expect((await bench.seek(first)).body).toMatchObject({ position: first, leased_until: null });
  // The seek ended the lease: the events will be returned again.
  expect(errorOf(await bench.ack(second, batch.body.lease.token))).toEqual([409, 2015]);
  const again = await bench.poll({ limit: 1 });
  expect(errorOf(await bench.ack(String(Number(second) + 9), batch.body.lease.token))).toEqual([409, 2015]);
  await bench.ack(idsOf(again)[0] ?? "", again.body.lease.token);
  const after = async (position: string) => {
    await bench.seek(position);
    return tracesOf(await bench.poll());
  };
  expect(await after(first)).toEqual(traces.slice(1));
  expect(await after(batch.body.events[1].envelope.event_id)).toEqual(traces.slice(2));
  expect(await after(batch.body.events[1].envelope.created_at)).toEqual(traces.slice(1));
  expect(await after(batch.body.events[0].envelope.created_at)).toEqual(traces);
  expect((await after("oldest")).slice(-3)).toEqual(traces);
  expect(await after("now")).toEqual([]);
  expect((await bench.seek("0")).status).toBe(200);
});

test("only events of the types, lines and version of the consumer are returned, and the position passes the others", async () => {
  const number = "+15557770001";
  const line = await createLine(bench.account.ref, {
    phoneNumber: number,
    lineType: "iMessage",
    transport: "simulator",
  });
  await bench.put({ types: ["message.read"], phone_numbers: [number] });
  await bench.put({ version: "2025-01-01" }, "old");
  await bench.emit(1, { type: "message.read", lineId: newId(Date.now()) });
  await bench.emit(1, { type: "message.sent", lineId: line.id });
  await bench.emit(1, { internal: true });
  const [mine, global] = [
    ...(await bench.emit(1, { type: "message.read", lineId: line.id })),
    ...(await bench.emit(1, { type: "message.read" })),
  ];
  await bench.emit(1, { type: "chat.created" });

  const batch = await bench.poll();
  expect(tracesOf(batch)).toEqual([mine, global]);
  expect(batch.body.lag.events).toBe(2);
  await bench.ack(idsOf(batch)[1] ?? "", batch.body.lease.token);
  expect((await bench.poll()).body.events).toEqual([]);
  const { position } = (await bench.call("GET /v3/consumers/c")).body;
  expect(Number(position)).toBeGreaterThan(Number(idsOf(batch)[1]));
  expect((await bench.poll({}, "old")).body.events.map((e: { envelope: object }) => e.envelope)).toEqual(
    expect.arrayContaining([expect.objectContaining({ webhook_version: "2025-01-01" })]),
  );
});

test("a consumer of all types leaves out those that are opt-in, and one that names such a type has them", async () => {
  await bench.put();
  await bench.put({ types: ["chat.resumed"] }, "named");
  const [resumed] = await bench.emit(1, { type: "chat.resumed" });
  const [sent] = await bench.emit();
  expect(tracesOf(await bench.poll())).toEqual([sent]);
  expect(tracesOf(await bench.poll({}, "named"))).toEqual([resumed]);
});

test("consumers are listed by name, page by page, with their lag", async () => {
  for (const name of ["b", "a", "d", "c"]) await bench.put({}, name);
  await bench.emit(2);
  const first = (await bench.call("GET /v3/consumers?limit=3")).body;
  expect(first.consumers.map(({ name }: { name: string }) => name)).toEqual(["a", "b", "c"]);
  expect(first.consumers[0].lag).toEqual({ events: 2, oldest_at: expect.any(String) });
  const second = (await bench.call(`GET /v3/consumers?limit=3&cursor=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ consumers: [{ name: "d" }], next_cursor: null });
  expect(errorOf(await bench.call("GET /v3/consumers?cursor=x"))).toEqual([400, 1005]);

  // A list counts 200 entries. Exactly so many are counted to the end of the log.
  const lagOfA = async () => (await bench.call("GET /v3/consumers")).body.consumers[0].lag;
  await bench.emit(198);
  expect(await lagOfA()).toEqual({ events: 200, oldest_at: expect.any(String) });
  await bench.emit(1);
  expect(await lagOfA()).toMatchObject({ events: 200, is_partial: true });

  // More entries than a list counts, none of which is for this consumer, do not make it look up to date.
  await bench.put({ types: ["call.ended"], start: "oldest" }, "e");
  await bench.emit(200);
  const [last] = (await bench.call("GET /v3/consumers")).body.consumers.slice(-1);
  expect(last).toMatchObject({ name: "e", lag: { events: 0, is_partial: true } });
  expect((await bench.call("GET /v3/consumers/e")).body.lag).toEqual({ events: 0, oldest_at: null });
});

test("a replay returns the event again, with the replay's id", async () => {
  const { body: subscription } = await bench.call("POST /v3/webhook-subscriptions", {
    target_url: "https://example.com/hook",
    subscribed_events: ["message.sent"],
  });
  await bench.put({ types: ["message.sent"] });
  const [trace] = await bench.emit();
  const first = await bench.poll();
  const id = idsOf(first)[0] ?? "";
  await bench.ack(id, first.body.lease.token);
  const replay = newId(Date.now());
  await transaction((tx) =>
    emitEvents(tx, [
      testEvent(bench.account.ref.id, {
        type: "webhook.replayed",
        internal: true,
        data: { event_seq: Number(id), replay_id: replay, subscription_id: subscription.id },
      }),
    ]),
  );
  const again = await bench.poll();
  expect(tracesOf(again)).toEqual([trace]);
  expect(again.body.events[0].replay).toBe(replay);
  expect(again.body.events[0].envelope).toEqual(first.body.events[0].envelope);
  expect(Number(idsOf(again)[0])).toBeGreaterThan(Number(id));
});

test("a token that only reads can read a consumer and not use it, and one for messaging neither", async () => {
  const tokenOf = async (scope: "read_only" | "messaging") =>
    (await createToken(bench.account.context(), { name: scope, scopes: [scope] })).token;
  const reads = await tokenOf("read_only");
  await bench.put();
  expect((await bench.call("GET /v3/consumers/c", undefined, reads)).status).toBe(200);
  expect(errorOf(await bench.call("POST /v3/consumers/c/poll", {}, reads))).toEqual([403, 2005]);
  expect(errorOf(await bench.call("POST /v3/consumers/c/poll", {}, await tokenOf("messaging")))).toEqual([
    403, 2005,
  ]);
});

test("creation, seek and deletion are in the audit log", async () => {
  await bench.put();
  await bench.seek("now");
  await bench.call("DELETE /v3/consumers/c");
  const entries = await prisma().auditEntry.findMany({
    where: { accountId: bench.account.ref.id, objectType: "consumer" },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ action }) => action).sort()).toEqual([
    "consumer.created",
    "consumer.deleted",
    "consumer.moved",
  ]);
});
