import { EVENT_CATALOG } from "@/lib/runtime/wiring/event-catalog";
import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { setClock } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { wakeHere } from "@/lib/platform/wake";
import { callApi } from "@/lib/testing/call-api";
import { until } from "@/lib/testing/factories";
import { readStream } from "@/lib/testing/read-stream";
import { replayBench } from "@/lib/testing/replay-bench";
import { serveApi } from "@/lib/testing/serve-api";
import { signInAs } from "@/lib/testing/sign-in-as";

const bench = replayBench();
const {
  work,
  receive,
  subscribe,
  setActive,
  emit,
  deliveriesOf,
  untilEnded,
  replayOne,
  progressOf,
  untilState,
  idsAt,
  replayedAt,
} = bench;

describe("one delivery", () => {
  test("is posted once more: same event, marked, signed anew, and the delivery it repeats stays as it was", async () => {
    work();
    const receiver = await receive();
    const { id, signing_secret } = await subscribe(receiver.url);
    const [eventId] = await emit();
    const [original] = await untilEnded(id, 1);

    const { status, body } = await replayOne(original?.id ?? "");
    expect(status).toBe(201);
    expect(body).toMatchObject({
      subscription_id: id,
      selection: { delivery_id: original?.id },
      total: 1,
      created_by: "A developer",
    });
    expect(await untilState(body.id, "done")).toMatchObject({ delivered: 1, failed: 0, retrying: 0 });

    const [first, again] = receiver.received;
    expect(idsAt(receiver)).toEqual([eventId, eventId]);
    expect(again?.body).toBe(first?.body);
    expect(first?.headers["x-webhook-replay"]).toBeUndefined();
    expect(again?.headers).toMatchObject({ "x-webhook-replay": "true", "x-webhook-replay-id": body.id });
    expect(new Webhook(signing_secret).verify(again?.body ?? "", again?.headers ?? {})).toBeTruthy();
    expect(await deliveriesOf(id)).toEqual([
      original,
      { ...original, id: expect.any(String), replay_id: body.id },
    ]);
    const attempts = await sql.query<{ headers: Record<string, string> }>({
      text: `select a.request->'headers' as headers from webhook_attempts a
             join webhook_deliveries d on d.account_id = a.account_id and d.id = a.delivery_id
             where d.replay_id = $1`,
      values: [body.id],
    });
    expect(attempts).toMatchObject([{ headers: { "x-webhook-replay-id": body.id } }]);
  });

  test("has a fresh timestamp, by the wall clock", async () => {
    work();
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    await emit();
    const [original] = await untilEnded(id, 1);
    await sleep(1100);
    await untilState((await replayOne(original?.id ?? "")).body.id, "done");
    const [first, again] = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(again).toBeGreaterThan(first ?? 0);
  });

  test("which waits for its retry keeps its place in the ladder", async () => {
    work();
    const receiver = await receive((response, count) => response.writeHead(count === 1 ? 503 : 200).end());
    const { id } = await subscribe(receiver.url);
    await emit();
    const waiting = await until(async () => (await deliveriesOf(id)).find(({ attempts }) => attempts === 1));
    const ladder = () =>
      sql.query({
        text: "select attempts, run_at, lease_until, status from webhook_deliveries where id = $1",
        values: [waiting.id],
      });
    await until(async () => receiver.received.length === 1);
    await until(async () => JSON.stringify(await ladder()).includes('"lease_until":null'));
    const before = await ladder();

    await untilState((await replayOne(waiting.id)).body.id, "done");
    expect(await ladder()).toEqual(before);
  });

  test("of an event that the version it has now does not know is refused: 409", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url, { subscribed_events: ["message.edited"] });
    await emit(1, { type: "message.edited", data: EVENT_CATALOG["message.edited"].payload.example });
    const [delivery] = await deliveriesOf(id);
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: bench.account.token,
      body: { target_url: `${receiver.url}?version=2025-01-01` },
    });

    const { status, body } = await replayOne(delivery?.id ?? "");
    expect([status, body.error.code]).toEqual([409, 2015]);
    expect(body.error.message).toContain("version 2025-01-01 has no events of type message.edited");
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  test("which fails is tried again by the usual schedule, and counts as retrying meanwhile", async () => {
    work();
    const receiver = await receive((response, count) => response.writeHead(count <= 2 ? 500 : 200).end());
    const { id } = await subscribe(receiver.url);
    await setActive(id, false);
    await emit();
    await setActive(id, true);
    const [skipped] = await untilEnded(id, 1);
    const { body } = await replayOne(skipped?.id ?? "");
    await until(async () => (await progressOf(body.id)).retrying === 1);
    for (let seconds = 0; seconds < 10 && receiver.received.length < 3; seconds += 2) {
      setClock({ offsetMs: seconds * 1000, frozenAt: null });
      wakeHere("deliveries");
      await sleep(100);
    }
    setClock({ offsetMs: 20_000, frozenAt: null });
    wakeHere("replays");
    expect(await untilState(body.id, "done")).toMatchObject({ delivered: 1, failed: 0 });
    expect(new Set(idsAt(receiver)).size).toBe(1);
    expect(replayedAt(receiver)).toHaveLength(3);
  });

  test("of another account is 404, and of a paused or deleted subscription refused", async () => {
    const stranger = await signInAs(bench.theirs, "admin");
    const { id } = await subscribe("https://example.com/paused");
    await emit();
    const [delivery] = await deliveriesOf(id);
    expect((await replayOne(delivery?.id ?? "", stranger)).status).toBe(404);
    await setActive(id, false);
    expect((await replayOne(delivery?.id ?? "")).body.error).toMatchObject({ code: 2015 });
    await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: bench.account.token });
    expect((await replayOne(delivery?.id ?? "")).body.error).toMatchObject({ code: 2010 });
  });
});

test("a replay reaches who listens to the stream of events, once, by its own number and with its id", async () => {
  work();
  const receiver = await receive();
  const { id } = await subscribe(receiver.url);
  const [eventId] = await emit();
  const [original] = await untilEnded(id, 1);
  const api = await serveApi();
  const stream = await readStream(`${api.baseUrl}/v3/events/stream`, { token: bench.account.token });
  const { body } = await replayOne(original?.id ?? "");
  await untilState(body.id, "done");
  await until(async () => stream.frames.length > 0);
  expect(stream.frames).toMatchObject([
    { event: "message.sent", data: { event_id: eventId, replay: body.id } },
  ]);
  stream.close();
  await api.close();
});
