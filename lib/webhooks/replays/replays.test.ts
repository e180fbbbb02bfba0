import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { GET as deliveriesRoute } from "@/app/api/webhooks/[subscriptionId]/deliveries/route";
import { POST as previewRoute } from "@/app/api/webhooks/[subscriptionId]/replays/preview/route";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { POST as replayOneRoute } from "@/app/api/webhooks/deliveries/[deliveryId]/replay/route";
import { PATCH as changeRoute, GET as getRoute } from "@/app/api/webhooks/replays/[replayId]/route";
import { GET as listRoute } from "@/app/api/webhooks/replays/route";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { wakeLocally } from "@/lib/platform/database/wake";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { readStream } from "@/lib/testing/read-stream";
import { serveApi } from "@/lib/testing/serve-api";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";
import { releaseReplays } from "@/lib/webhooks/replays/steps/release-replays";
import { sweepReplays } from "@/lib/webhooks/replays/sweep-replays";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";
import { startReplays } from "@/lib/webhooks/replays/work-replays";

const CHAT = EVENT_CATALOG["chat.created"].payload.example;

let account: TestAccount;
let theirs: TestAccount;
let developer: DashboardUser;
const receivers: Receiver[] = [];
const queues: Queue[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  theirs = await createTestAccount({ type: "sandbox" });
  developer = await signInAs(account, "developer");
});

afterEach(stopAll);
afterAll(stopAll);

// Each test starts without workers and subscriptions of other tests, and controls the clock.
async function stopAll(): Promise<void> {
  setClock(null);
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  await sql.runText({ text: "update webhook_subscriptions set is_active = false, deleted_at = now()" });
  await sql.runText({
    text: "update webhook_replays set run_at = null, ended_at = now(), state = 'canceled'",
  });
  await sql.runText({ text: "delete from webhook_deliveries where status = 'waiting'" });
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
}

/** A busy machine can take seconds to answer, and an attempt without an answer is repeated. */
function work(answerMs = 20_000): void {
  queues.push(startWebhookDelivery({ answerMs }), startReplays());
}

async function receive(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...parameters);
  receivers.push(receiver);
  return receiver;
}

interface Subscription {
  id: string;
  signing_secret: string;
}

async function subscribe(targetUrl: string, fields: object = {}): Promise<Subscription> {
  const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: targetUrl, subscribed_events: ["message.sent", "chat.created"], ...fields },
  });
  expect(status).toBe(201);
  return body;
}

function setActive(id: string, is_active: boolean) {
  return callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account.token, body: { is_active } });
}

/** Emits events of one type. Returns their ids, oldest first. */
async function emit(count = 1, fields: Partial<NewEvent> = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({
    id: newId(now().getTime()),
    ...testEvent(account.ref.id, fields),
  }));
  await transaction((tx) => emitEvents(tx, events));
  return events.map((event) => event.id);
}

interface DeliveryRow {
  id: string;
  event_id: string;
  replay_id: string | null;
  status: string;
  attempts: number;
  sequence: string | null;
}

function deliveriesOf(subscriptionId: string): Promise<DeliveryRow[]> {
  return sql.runText<DeliveryRow>({
    text: `select d.id, e.id as event_id, d.replay_id, d.status, d.attempts, d.sequence
           from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
           where d.subscription_id = $1 order by d.event_seq, d.created_at`,
    values: [subscriptionId],
  });
}

async function untilEnded(subscriptionId: string, count: number): Promise<DeliveryRow[]> {
  return until(async () => {
    const deliveries = await deliveriesOf(subscriptionId);
    return (
      deliveries.length === count && deliveries.every(({ status }) => status !== "waiting") && deliveries
    );
  });
}

interface Wanted {
  statuses?: string[];
  types?: string[];
  [condition: string]: unknown;
}

async function replay(subscriptionId: string, filter: Wanted, more: object = {}): Promise<WebhookReplay> {
  const { status, body } = await developer.call(replaysRoute, {
    method: "POST",
    params: { subscriptionId },
    body: { filter: { statuses: ["failed"], ...filter }, per_second: 1000, ...more },
  });
  expect(body).toMatchObject({ subscription_id: subscriptionId });
  expect(status).toBe(201);
  return body;
}

async function preview(subscriptionId: string, filter: Wanted): Promise<number> {
  const { body } = await developer.call(previewRoute, {
    method: "POST",
    params: { subscriptionId },
    body: { filter: { statuses: ["failed"], ...filter } },
  });
  return body.total;
}

async function replayOne(deliveryId: string, by = developer) {
  return by.call(replayOneRoute, { method: "POST", params: { deliveryId } });
}

async function progressOf(replayId: string): Promise<WebhookReplay> {
  return (await developer.call(getRoute, { params: { replayId } })).body;
}

function change(replayId: string, body: object, by = developer) {
  return by.call(changeRoute, { method: "PATCH", params: { replayId }, body });
}

async function untilState(replayId: string, state: WebhookReplay["state"]): Promise<WebhookReplay> {
  return until(async () => {
    const found = await progressOf(replayId);
    return found.state === state && found.ended_at !== null && found;
  });
}

function idsAt(receiver: Receiver): string[] {
  return receiver.received.map(({ headers }) => headers["webhook-id"] ?? "");
}

function replayedAt(receiver: Receiver): string[] {
  const replays = receiver.received.filter(({ headers }) => headers["x-webhook-replay"] === "true");
  return replays.map(({ headers }) => headers["webhook-id"] ?? "");
}

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
    const attempts = await sql.runText<{ headers: Record<string, string> }>({
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
    const receiver = await receive((response, count) => {
      // The retry does not become due during the test.
      if (count === 1) response.writeHead(503, { "retry-after": "600" });
      response.end();
    });
    const { id } = await subscribe(receiver.url);
    await emit();
    const waiting = await until(async () => (await deliveriesOf(id)).find(({ attempts }) => attempts === 1));
    const ladder = () =>
      sql.runText({
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
      token: account.token,
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
      wakeLocally("deliveries");
      await sleep(100);
    }
    setClock({ offsetMs: 20_000, frozenAt: null });
    wakeLocally("replays");
    expect(await untilState(body.id, "done")).toMatchObject({ delivered: 1, failed: 0 });
    expect(new Set(idsAt(receiver)).size).toBe(1);
    expect(replayedAt(receiver)).toHaveLength(3);
  });

  test("of another account is 404, and of a paused or deleted subscription refused", async () => {
    const stranger = await signInAs(theirs, "admin");
    const { id } = await subscribe("https://example.com/paused");
    await emit();
    const [delivery] = await deliveriesOf(id);
    expect((await replayOne(delivery?.id ?? "", stranger)).status).toBe(404);
    await setActive(id, false);
    expect((await replayOne(delivery?.id ?? "")).body.error).toMatchObject({ code: 2015 });
    await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: account.token });
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
  const stream = await readStream(`${api.baseUrl}/v3/events/stream`, { token: account.token });
  const { body } = await replayOne(original?.id ?? "");
  await untilState(body.id, "done");
  await until(async () => stream.frames.length > 0);
  expect(stream.frames).toMatchObject([
    { event: "message.sent", data: { event_id: eventId, replay: body.id } },
  ]);
  stream.close();
  await api.close();
});

describe("a filter takes", () => {
  test("all failed ones, once: what got through since is not replayed again", async () => {
    work();
    let broken = true;
    const receiver = await receive((response) => response.writeHead(broken ? 400 : 200).end());
    const { id } = await subscribe(receiver.url);
    const failed = await emit(3);
    await untilEnded(id, 3);
    broken = false;
    const fine = await emit(1);
    await untilEnded(id, 4);

    expect(await preview(id, {})).toBe(3);
    const { id: replayId } = await replay(id, {});
    expect(await untilState(replayId, "done")).toMatchObject({
      total: 3,
      delivered: 3,
      failed: 0,
      skipped: 0,
    });
    expect(replayedAt(receiver).sort()).toEqual(failed.sort());
    expect(await preview(id, {})).toBe(0);
    expect(await preview(id, { statuses: ["delivered"] })).toBe(4);
    expect(idsAt(receiver)).toEqual(expect.arrayContaining(fine));
  });

  test("skipped ones, with the number they have in the subscription's sequence", async () => {
    work();
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    await emit();
    await untilEnded(id, 1);
    await setActive(id, false);
    const missed = await emit(2);
    await setActive(id, true);
    await emit();
    await untilEnded(id, 4);

    await untilState((await replay(id, { statuses: ["skipped"] })).id, "done");
    expect(replayedAt(receiver).sort()).toEqual(missed.sort());
    const sequences = receiver.received.map(({ body }) => JSON.parse(body).sequence);
    expect(sequences.sort()).toEqual([1, 2, 3, 4]);
  });

  test("types, chat, time and a JSON path; the preview counts exactly what is sent", async () => {
    work();
    const receiver = await receive((response, count) => response.writeHead(count <= 6 ? 400 : 200).end());
    const { id } = await subscribe(receiver.url);
    const chatId = newId(now().getTime());
    const sent = (text: string) => ({
      ...EVENT_CATALOG["message.sent"].payload.example,
      message: {
        ...EVENT_CATALOG["message.sent"].payload.example.message,
        parts: [{ type: "text" as const, value: text, text_decorations: null }],
      },
    });
    await emit(1, { data: sent("a refund"), at: new Date("2026-01-01T00:00:00Z"), chatId });
    const [wanted] = await emit(1, { data: sent("a REFUND"), at: new Date("2026-02-01T00:00:00Z"), chatId });
    await emit(1, { data: sent("no money"), at: new Date("2026-02-01T00:00:00Z"), chatId });
    await emit(1, { data: sent("a refund"), at: new Date("2026-02-01T00:00:00Z") });
    await emit(1, { data: sent("a refund"), at: new Date("2026-03-01T00:00:00Z"), chatId });
    await emit(1, { type: "chat.created", data: CHAT, at: new Date("2026-02-01T00:00:00Z"), chatId });
    await untilEnded(id, 6);

    const filter = {
      types: ["message.sent"],
      chat_id: chatId,
      from: "2026-01-15T00:00:00.000Z",
      to: "2026-03-01T00:00:00.000Z",
      json_path: '$.message.parts[*].value like_regex "refund" flag "i"',
    };
    expect(await preview(id, filter)).toBe(1);
    const created = await replay(id, filter);
    expect(created.selection).toMatchObject({ filter });
    await untilState(created.id, "done");
    expect(replayedAt(receiver)).toEqual([wanted]);
  });

  test("events of before the subscription, of its types and lines alone", async () => {
    work();
    const [{ id: line } = { id: "" }] = await sql.runText<{ id: string }>({
      text: "select id from lines where phone_number = $1",
      values: [account.line],
    });
    const since = { from: now().toISOString() };
    const old = [
      ...(await emit(2, { lineId: line })),
      ...(await emit(1)),
      ...(await emit(1, { type: "chat.created", data: CHAT, lineId: line })),
    ];
    await emit(1, { type: "message.read", lineId: line });
    await emit(1, { lineId: newId(now().getTime()) });
    await emit(1, { type: "message.accepted", internal: true, data: {} });

    const receiver = await receive();
    const { id } = await subscribe(receiver.url, { phone_numbers: [account.line] });
    const pending = await emit(1, { lineId: line });
    await untilEnded(id, 1);
    expect(await preview(id, { ...since, statuses: ["failed", "skipped", "delivered"] })).toBe(1);
    expect(await preview(id, { ...since, statuses: ["never_owed"] })).toBe(4);

    const created = await replay(id, { ...since, statuses: ["never_owed", "failed"] });
    await untilState(created.id, "done");
    expect(replayedAt(receiver).sort()).toEqual(old.sort());
    expect(idsAt(receiver).filter((eventId) => pending.includes(eventId))).toHaveLength(1);
    expect(await preview(id, { ...since, statuses: ["never_owed"] })).toBe(0);
    for (const { body } of receiver.received.slice(1))
      expect(JSON.parse(body)).not.toHaveProperty("sequence");
    const { body } = await developer.call(deliveriesRoute, { params: { subscriptionId: id } });
    const numbers = body.deliveries.map(({ sequence }: { sequence: number | null }) => sequence);
    expect(numbers.sort()).toEqual([1, null, null, null, null]);
  });

  test("no event: 409, and no replay is left", async () => {
    const { id } = await subscribe("https://example.com/nothing");
    const { status, body } = await developer.call(replaysRoute, {
      method: "POST",
      params: { subscriptionId: id },
      body: { filter: { statuses: ["failed"] } },
    });
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 2015 });
    const { body: list } = await developer.call(listRoute, { query: { subscription_id: id } });
    expect(list.replays).toEqual([]);
  });

  test.each([
    { statuses: [] },
    { statuses: ["waiting"] },
    { statuses: ["failed"], json_path: "$.(" },
    { statuses: ["failed"], types: ["message.nonsense"] },
    { statuses: ["failed"], from: "yesterday" },
  ])("only valid values: %j is 400/1005", async (filter) => {
    const { id } = await subscribe("https://example.com/invalid");
    for (const route of [replaysRoute, previewRoute]) {
      const call = { method: "POST" as const, params: { subscriptionId: id }, body: { filter } };
      const { status, body } = await developer.call(route, call);
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 1005 });
    }
  });
});

describe("speed", () => {
  /**
   * Releases replays like the worker, `times` times over `seconds`. Returns the number of released events for each
   * time.
   */
  async function look(seconds: number, times: number): Promise<number> {
    let released = 0;
    for (let time = 1; time <= times; time++) {
      setClock({ offsetMs: 0, frozenAt: new Date(now().getTime() + (seconds * 1000) / times) });
      for (const replayed of await releaseReplays(now(), 20)) released += replayed.released;
      // Simulates a fast receiver: all released events have been sent.
      await sql.runText({
        text: `update webhook_deliveries set status = 'delivered', run_at = null, ended_at = $1
               where replay_id is not null and run_at is not null`,
        values: [now()],
      });
    }
    return released;
  }

  async function missed(count: number): Promise<string> {
    const { id } = await subscribe(`https://example.com/${newId(now().getTime())}`);
    await setActive(id, false);
    await emit(count);
    await setActive(id, true);
    return id;
  }

  test.each([
    [50, 10],
    [50, 100],
    [7, 40],
    [1, 40],
  ])("%i a second are let go when it is looked %i times a second", async (perSecond, times) => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(perSecond * 5);
    await replay(id, { statuses: ["skipped"] }, { per_second: perSecond });
    const handful = Math.ceil(perSecond * 0.2);
    const inThree = await look(3, times * 3);
    expect(inThree).toBeGreaterThanOrEqual(perSecond * 3 - handful);
    expect(inThree).toBeLessThanOrEqual(perSecond * 3 + handful);
  });

  test("defaults to 50 per second and can be changed during the replay", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(400);
    const { id: replayId, per_second } = await replay(
      id,
      { statuses: ["skipped"] },
      { per_second: undefined },
    );
    expect(per_second).toBe(50);
    expect(await look(1, 10)).toBeLessThanOrEqual(60);
    expect((await change(replayId, { per_second: 200 })).body.per_second).toBe(200);
    expect(await look(1, 10)).toBeGreaterThan(150);
  });

  test("a worker that was away does not catch up in a burst", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    await replay(await missed(300), { statuses: ["skipped"] }, { per_second: 50 });
    await look(0.2, 1);
    expect(await look(60, 1)).toBeLessThanOrEqual(10);
    expect(await look(0.4, 4)).toBeLessThanOrEqual(30);
  });

  test("an endpoint that falls behind gets further deliveries only after it has caught up", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(400);
    await replay(id, { statuses: ["skipped"] }, { per_second: 50 });
    let released = 0;
    for (let time = 0; time < 50; time++) {
      setClock({ offsetMs: 0, frozenAt: new Date(now().getTime() + 200) });
      for (const replayed of await releaseReplays(now(), 20)) released += replayed.released;
    }
    expect(released).toBe(100);
  });

  test("released events are emitted to streams as the internal event webhook.replayed", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(2);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await look(1, 1);
    const emitted = await sql.runText({
      text: `select account_id, internal, data from events
             where type = 'webhook.replayed' and data->>'replay_id' = $1 order by seq`,
      values: [replayId],
    });
    const seqs = await sql.runText<{ event_seq: string }>({
      text: "select event_seq from webhook_deliveries where replay_id = $1 order by event_seq",
      values: [replayId],
    });
    expect(emitted).toEqual(
      seqs.map(({ event_seq }) => ({
        account_id: account.ref.id,
        internal: true,
        data: { event_seq: Number(event_seq), replay_id: replayId, subscription_id: id },
      })),
    );
  });
});

describe("a replay that is", () => {
  async function missed(receiver: Receiver, count: number): Promise<string> {
    const { id } = await subscribe(receiver.url);
    await setActive(id, false);
    await emit(count);
    await setActive(id, true);
    return id;
  }

  /** Waits for deliveries claimed before the change, which are still sent. */
  async function untilNoneInFlight(subscriptionId: string): Promise<void> {
    const text = `select from webhook_deliveries where subscription_id = $1 and lease_until is not null`;
    await until(async () => (await sql.runText({ text, values: [subscriptionId] })).length === 0);
  }

  test("paused sends nothing more until it is resumed, and then the rest", async () => {
    work();
    const receiver = await receive();
    const id = await missed(receiver, 60);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] }, { per_second: 1 });
    await until(async () => receiver.received.length > 0);
    const { body } = await change(replayId, { state: "paused", per_second: 1000 });
    expect(body).toMatchObject({ state: "paused", reason: null, ended_at: null });
    await untilNoneInFlight(id);
    const sent = receiver.received.length;
    expect(sent).toBeLessThan(60);
    await sleep(500);
    expect(receiver.received.length).toBe(sent);
    expect(await progressOf(replayId)).toMatchObject({ state: "paused", delivered: sent, total: 60 });

    await change(replayId, { state: "running" });
    expect(await untilState(replayId, "done")).toMatchObject({ delivered: 60 });
    expect(new Set(idsAt(receiver)).size).toBe(60);
    expect(receiver.received).toHaveLength(60);
  });

  test("canceled sends nothing more, and its events may be replayed by another", async () => {
    work();
    const receiver = await receive();
    const id = await missed(receiver, 40);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] }, { per_second: 1 });
    await until(async () => receiver.received.length > 0);
    await change(replayId, { state: "canceled" });
    const ended = await untilState(replayId, "canceled");
    expect(ended.delivered).toBe(receiver.received.length);
    expect(ended.delivered).toBeLessThan(40);
    await sleep(300);
    expect(receiver.received).toHaveLength(ended.delivered);
    expect((await change(replayId, { state: "running" })).body.error.code).toBe(2015);

    expect(await preview(id, { statuses: ["skipped"] })).toBe(40 - ended.delivered);
    await untilState((await replay(id, { statuses: ["skipped"] })).id, "done");
    expect(new Set(idsAt(receiver)).size).toBe(40);
  });

  test("canceled while an attempt hangs ends with it, and does not try again", async () => {
    work(30_000);
    const { promise: canceled, resolve: isCanceled } = Promise.withResolvers<void>();
    const receiver = await receive(async (response) => {
      await canceled;
      response.writeHead(503).end();
    });
    const id = await missed(receiver, 1);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await until(async () => receiver.received.length === 1);
    const { body } = await change(replayId, { state: "canceled" });
    expect(body).toMatchObject({ state: "canceled", ended_at: null });
    isCanceled();
    expect(await untilState(replayId, "canceled")).toMatchObject({ delivered: 0, failed: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  test("running when its subscription is paused pauses too, and says so; deleted, it is canceled", async () => {
    const receiver = await receive();
    const id = await missed(receiver, 60);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await setActive(id, false);
    work();
    const paused = await until(async () => {
      const found = await progressOf(replayId);
      return found.state === "paused" && found;
    });
    expect(paused.reason).toContain("not active");
    expect((await change(replayId, { state: "running" })).body.error.code).toBe(2015);

    await setActive(id, true);
    await change(replayId, { state: "running", per_second: 1 });
    await until(async () => receiver.received.length > 0);
    await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: account.token });
    const canceled = await untilState(replayId, "canceled");
    expect(canceled.reason).toContain("deleted");
    const left = (await deliveriesOf(id)).filter(({ status }) => status === "waiting");
    expect(left).toEqual([]);
  });

  test("running keeps another of many events from its subscription, not one of a single delivery", async () => {
    const { id } = await subscribe("https://example.com/busy");
    await setActive(id, false);
    await emit(3);
    await setActive(id, true);
    await replay(id, { statuses: ["skipped"] });
    const { body } = await developer.call(replaysRoute, {
      method: "POST",
      params: { subscriptionId: id },
      body: { filter: { statuses: ["skipped"] } },
    });
    expect(body.error.code).toBe(2015);
    const [delivery] = await deliveriesOf(id);
    expect((await replayOne(delivery?.id ?? "")).status).toBe(201);
  });
});

describe("who", () => {
  test("may replay: admins and developers; support and viewers look on", async () => {
    const { id } = await subscribe("https://example.com/roles");
    await setActive(id, false);
    await emit(1);
    await setActive(id, true);
    const [delivery] = await deliveriesOf(id);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    const body = { filter: { statuses: ["skipped"] } };
    for (const role of ["support", "viewer"] as const) {
      const user = await signInAs(account, role);
      const answers = [
        await user.call(replaysRoute, { method: "POST", params: { subscriptionId: id }, body }),
        await user.call(previewRoute, { method: "POST", params: { subscriptionId: id }, body }),
        await replayOne(delivery?.id ?? "", user),
        await change(replayId, { state: "canceled" }, user),
      ];
      for (const answer of answers) {
        expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 403, code: 2005 });
      }
      expect((await user.call(getRoute, { params: { replayId } })).body).toMatchObject({ id: replayId });
    }
    const admin = await signInAs(account, "admin");
    expect((await change(replayId, { state: "paused" }, admin)).status).toBe(200);
  });

  test("is of another account finds no replay, and no subscription", async () => {
    const { id } = await subscribe("https://example.com/ours");
    await setActive(id, false);
    await emit(1);
    await setActive(id, true);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    const stranger = await signInAs(theirs, "admin");
    expect((await stranger.call(getRoute, { params: { replayId } })).status).toBe(404);
    expect((await change(replayId, { state: "canceled" }, stranger)).status).toBe(404);
    expect((await stranger.call(listRoute)).body.replays).toEqual([]);
    for (const route of [replaysRoute, previewRoute]) {
      const call = {
        method: "POST" as const,
        params: { subscriptionId: id },
        body: { filter: { statuses: ["skipped"] } },
      };
      expect((await stranger.call(route, call)).body.error.code).toBe(2005);
    }
  });

  test("did it is on record, with what was asked for", async () => {
    const { id } = await subscribe("https://example.com/audit");
    await setActive(id, false);
    await emit(2);
    await setActive(id, true);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await change(replayId, { state: "canceled" });
    const entries = await sql.runText({
      text: "select actor_id, action, detail from audit_entries where object_id = $1 order by id",
      values: [replayId],
    });
    expect(entries).toMatchObject([
      {
        actor_id: developer.id,
        action: "webhook_replay.created",
        detail: { total: 2, filter: { statuses: ["skipped"] } },
      },
      { actor_id: developer.id, action: "webhook_replay.updated", detail: { state: "canceled" } },
    ]);
  });
});

test("replays are listed newest first, in pages, in the same number of statements whatever the page's size", async () => {
  const { id } = await subscribe("https://example.com/many");
  await emit(1);
  const [delivery] = await deliveriesOf(id);
  const made: string[] = [];
  for (let count = 0; count < 7; count++) made.unshift((await replayOne(delivery?.id ?? "")).body.id);

  const list = async (query: Record<string, string>) =>
    (await developer.call(listRoute, { query: { subscription_id: id, ...query } })).body;
  const first = await list({ limit: "5" });
  const second = await list({ limit: "5", cursor: first.next_cursor });
  const ids = [...first.replays, ...second.replays].map((one: WebhookReplay) => one.id);
  expect(ids).toEqual(made);
  expect(second.next_cursor).toBeNull();
  expect(await countStatements(() => list({ limit: "6" }))).toBe(
    await countStatements(() => list({ limit: "1" })),
  );
});

test("a replay goes with the events of its time; one that is paused for so long is canceled", async () => {
  const { id } = await subscribe("https://example.com/swept");
  await setActive(id, false);
  await emit(2);
  await setActive(id, true);
  const paused = await replay(id, { statuses: ["skipped"] });
  await change(paused.id, { state: "paused" });
  const [delivery] = await deliveriesOf(id);
  const { body: canceled } = await replayOne(delivery?.id ?? "");
  await change(canceled.id, { state: "canceled" });

  const in89Days = 89 * 86_400_000;
  setClock({ offsetMs: in89Days, frozenAt: null });
  await sweepReplays();
  expect(await progressOf(paused.id)).toMatchObject({ state: "paused" });
  expect(await progressOf(canceled.id)).toMatchObject({ state: "canceled" });

  setClock({ offsetMs: in89Days + 2 * 86_400_000, frozenAt: null });
  await sweepReplays();
  expect((await developer.call(getRoute, { params: { replayId: canceled.id } })).status).toBe(404);
  work();
  expect((await untilState(paused.id, "canceled")).reason).toContain("longer than events are kept");
  expect((await deliveriesOf(id)).every(({ status }) => status !== "waiting")).toBe(true);
});
