import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { OrderedChats } from "@/lib/testing/events/ordered-chats";
import { runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";
import type { Evaluation } from "@/lib/webhooks/deliveries/attempt/attempt-result";
import { type ClaimedDelivery, claimDeliveries } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { mendQueues } from "@/lib/webhooks/deliveries/mend-queues";
import { recordInOrder } from "@/lib/webhooks/deliveries/order/record-in-order";
import { passFreeTurns, passHeldTurn } from "@/lib/webhooks/deliveries/pass-turns";
import { recordAttempt } from "@/lib/webhooks/deliveries/record/record-attempts";
import { getWebhookSubscriptionView } from "@/lib/webhooks/endpoints/get-webhook-subscription-view";
import { passReleased, releaseReplays } from "@/lib/webhooks/replays/steps/release-replays";
import { startReplays } from "@/lib/webhooks/replays/work-replays";
import { disableWebhookSubscription } from "@/lib/webhooks/subscriptions/disable-webhook-subscription";

const { account, stopDelivery, subscribe } = runWebhookDelivery();
const LONG_LEASE_MS = 600_000;
const never = new AbortController().signal;

let chats: OrderedChats;
let id: string;
let counter = 0;

beforeAll(() => stopDelivery());

beforeEach(async () => {
  chats = new OrderedChats(() => account().ref.id);
  id = (await subscribe(`https://hooks.example.com/${++counter}`, { ordering: "chat" })).id;
});

afterEach(() => sql.runText({ text: "truncate webhook_deliveries cascade" }));

/** Claims like a worker. */
async function claim(leaseMs = LONG_LEASE_MS): Promise<ClaimedDelivery[]> {
  const { claimed } = await claimDeliveries(new EndpointSlots(512), { limit: 100, leaseMs });
  return claimed;
}

function namesOf(claimed: readonly ClaimedDelivery[]): string[] {
  return claimed.map(({ event }) => chats.nameOf(event.id)).toSorted();
}

async function claimOne(): Promise<ClaimedDelivery> {
  const [delivery] = await claim();
  if (delivery === undefined) throw new Error("nothing is due");
  return delivery;
}

function outcomeOf(delivery: ClaimedDelivery, status: Evaluation["status"] = "delivered") {
  const result = {
    startedAt: now(),
    latencyMs: 1,
    timing: null,
    request: null,
    statusCode: status === "delivered" ? 200 : 500,
    error: null,
    responseHeaders: null,
    responseBody: null,
    retryAfterMs: null,
  };
  const evaluation = status === "waiting" ? { status, retryInMs: 2000 } : { status, retryInMs: null };
  return { delivery, result, evaluation, at: now() };
}

/** Skips every delivery and replays it. Without `hasRow`, its chat has no row of numbers. */
async function replaySkipped(per_second: number, { hasRow = true } = {}): Promise<void> {
  await sql.runText({
    text: `update webhook_deliveries set status = 'skipped', run_at = null, queue_chat_id = null, ended_at = created_at,
             sequence = case when $1 then sequence end`,
    values: [hasRow],
  });
  if (!hasRow) {
    await sql.runText({ text: "delete from webhook_sequences where subscription_id = $1", values: [id] });
  }
  const body = { filter: { statuses: ["skipped"] }, per_second };
  const path = `/v3/webhook-subscriptions/${id}/replays` as const;
  expect((await callApi(`POST ${path}`, { token: account().token, body })).status).toBe(201);
}

async function cancelReplays(): Promise<void> {
  const path = `/v3/webhook-subscriptions/${id}/replays` as const;
  expect((await callApi(`DELETE ${path}`, { token: account().token })).status).toBe(200);
}

/** Releases due replays like a worker. */
async function release(): Promise<void> {
  for (const { queues } of await releaseReplays(now(), 10)) await passReleased(queues);
}

const record = (delivery: ClaimedDelivery, status?: Evaluation["status"]) =>
  recordInOrder(outcomeOf(delivery, status));

test("an event that is being stored while the last of its chat ends gets its turn, whichever commits first", async () => {
  await chats.emit("AB");
  const [a, b] = (await claim()).toSorted((left, right) =>
    chats.nameOf(left.event.id) < chats.nameOf(right.event.id) ? -1 : 1,
  );
  if (a === undefined || b === undefined) throw new Error("nothing is due");

  // The event holds the chat's row: the attempt is recorded at once, the turn waits, and chat B does not.
  const ending = await transaction(async (tx) => {
    await chats.emitIn(tx, "A");
    const both = [record(a), record(b)];
    await untilLocked("webhook_sequences");
    await both[1];
    expect(await chats.statesOf(id)).toEqual(["A1 delivered", "B1 delivered"]);
    return both;
  });
  await Promise.all(ending);
  expect(namesOf(await claim())).toEqual(["A2"]);

  // The end of a delivery holds it: the event waits, and sees the empty queue.
  const emitting = await transaction(async (tx) => {
    await tx.runText({
      text: "select from webhook_sequences where subscription_id = $1 and chat_id = $2 for no key update",
      values: [id, chats.chatId("B")],
    });
    const stored = chats.emit("BB");
    await untilLocked();
    return [stored];
  });
  await Promise.all(emitting);
  expect(namesOf(await claim())).toEqual(["B2"]);
});

test("two workers never have two deliveries of a chat, and each chat's are attempted in order", async () => {
  const attempted = new Map<string, number[]>();
  const inFlight = new Set<string>();
  const texts = Array.from({ length: 15 }, () => "AABCDD");
  let open = texts.join("").length;
  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const { queueChatId: chatId, sequence } = delivery;
    if (chatId === null || sequence === null) throw new Error("it has no order");
    expect(inFlight.has(chatId)).toBe(false);
    inFlight.add(chatId);
    attempted.set(chatId, [...(attempted.get(chatId) ?? []), sequence]);
    await sql.runText({ text: "select pg_sleep(0.002)" });
    inFlight.delete(chatId);
    // The first attempt at every third delivery fails, and the retry is due at once.
    const fails = delivery.attempt === 1 && sequence % 3 === 0;
    const outcome = outcomeOf(delivery, fails ? "waiting" : "delivered");
    await recordInOrder(fails ? { ...outcome, evaluation: { status: "waiting", retryInMs: 0 } } : outcome);
    if (!fails) open--;
  }
  async function work(): Promise<void> {
    while (open > 0) await Promise.all((await claim()).map(attempt));
  }
  await Promise.all([...texts.map((text) => chats.emit(text)), work(), work()]);

  for (const letter of ["A", "B", "C", "D"]) {
    const count = letter === "A" || letter === "D" ? 30 : 15;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const expected = numbers.flatMap((number) => (number % 3 === 0 ? [number, number] : [number]));
    expect(attempted.get(chats.chatId(letter)), letter).toEqual(expected);
  }
});

test("a killed worker's delivery is attempted again before the next of its chat; a turn that was not passed is mended", async () => {
  await chats.emit("AAB");
  const dead = await claim(0);
  expect(namesOf(dead)).toEqual(["A1", "B1"]);
  expect(namesOf(await claim())).toEqual(["A1", "B1"]);

  // It ended after the attempt was recorded and before the turn was passed.
  const again = dead.find(({ event }) => chats.nameOf(event.id) === "A1");
  if (again === undefined) throw new Error("A1 was not claimed");
  await recordAttempt(outcomeOf(again));
  await chats.emit("A");
  expect(await claim()).toEqual([]);
  expect(await mendQueues(never)).toBe(1);
  expect(await mendQueues(never)).toBe(0);
  expect(namesOf(await claim())).toEqual(["A2"]);

  // A late success of the first claim passes nothing while the next has its turn.
  await record(again);
  expect(await claim()).toEqual([]);
});

test("two processes that pass the same turn pass it once, and a failed transaction passes none", async () => {
  await chats.emit("AAA");
  const first = await claimOne();
  await recordAttempt(outcomeOf(first));
  const queue = { accountId: account().ref.id, subscriptionId: id, chatId: chats.chatId("A") };
  await Promise.all([passHeldTurn(queue), passHeldTurn(queue), mendQueues(never), record(first)]);
  expect(await chats.statesOf(id)).toEqual(["A1 delivered", "A2 turn", "A3 waiting"]);

  const second = await claimOne();
  await sql.runText({
    text: `create function refuse_turn() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse_turn before update on webhook_sequences for each row execute function refuse_turn()`,
  });
  await expect(record(second)).rejects.toThrow("no");
  await sql.runText({ text: "drop trigger refuse_turn on webhook_sequences; drop function refuse_turn" });
  expect(await chats.statesOf(id)).toEqual(["A1 delivered", "A2 turn", "A3 waiting"]);
});

test("5,000 events that wait in one chat cost neither a claim nor the end of a delivery anything", async () => {
  await chats.emit(`${"A".repeat(5000)}BB`);
  await sql.runText({ text: "analyze webhook_deliveries" });
  let claimed: ClaimedDelivery[] = [];
  const scans = await explainStatements(async () => {
    claimed = await claim();
  });
  expect(namesOf(claimed)).toEqual(["A1", "B1"]);
  const ends = await explainStatements(() => Promise.all(claimed.map((delivery) => record(delivery))));
  for (const list of [scans, ends]) {
    const read = list
      .filter(({ on }) => on === "webhook_deliveries")
      .reduce((sum, { rows }) => sum + rows, 0);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(60);
  }
  expect(namesOf(await claim())).toEqual(["A2", "B2"]);

  // Given up, the queue ends in several statements, except the delivery in flight.
  await sql.runText({
    text: "update webhook_subscriptions set is_active = false where id = $1",
    values: [id],
  });
  await mendQueues(never);
  expect(await prisma().webhookDelivery.count({ where: { subscriptionId: id, status: "waiting" } })).toBe(2);
});

test("a queue that is given up does not hold up the turns of other chats: the schedule ends it", async () => {
  await chats.emit("A".repeat(2501));
  const other = (await subscribe("https://hooks.example.com/other", { ordering: "chat" })).id;
  await chats.emit("BB");
  const claimed = (await claim()).filter(
    ({ event, subscription }) => chats.nameOf(event.id) === (subscription.id === id ? "A1" : "B1"),
  );
  expect(namesOf(claimed)).toEqual(["A1", "B1"]);
  await sql.runText({
    text: "update webhook_subscriptions set is_active = false where id = $1",
    values: [id],
  });
  // Both queues are held, so their turns are passed after the transaction, together.
  const ending = await transaction(async (tx) => {
    await tx.runText({ text: "select from webhook_sequences for no key update" });
    const both = claimed.map((delivery) => record(delivery));
    await untilLocked("webhook_sequences");
    return both;
  });
  await Promise.all(ending);
  expect(await chats.statesOf(other)).toEqual(["B1 delivered", "B2 turn"]);
  const left = () =>
    prisma().webhookDelivery.count({ where: { subscriptionId: id, status: "waiting", runAt: null } });
  expect(await left()).toBeGreaterThan(1000);
  await mendQueues(never);
  expect(await left()).toBe(0);
});

test("releases into chats that a transaction holds do not hold up the next releases", async () => {
  // More than a process handles at once.
  const letters = Array.from({ length: 25 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  await chats.emit(letters.join(""));
  await replaySkipped(5);
  const replays = await transaction(async (tx) => {
    await tx.runText({ text: "select from webhook_sequences for no key update" });
    const started = startReplays();
    await until(
      async () => (await prisma().webhookDelivery.count({ where: { queueChatId: { not: null } } })) === 25,
    );
    return started;
  });
  await replays.stop();
  const states = (await chats.statesOf(id)).filter((state) => !state.endsWith("skipped"));
  expect(states).toEqual(letters.map((letter) => `${letter}1 turn`));
  await cancelReplays();
});

test("a replay to a chat without a row of numbers has a queue that live events join", async () => {
  await chats.emit("AA");
  await replaySkipped(1000, { hasRow: false });
  await release();
  await chats.emit("A");
  expect((await chats.statesOf(id)).filter((state) => !state.endsWith("skipped"))).toEqual([
    "A1 turn",
    "A2 waiting",
    "A3 waiting",
  ]);

  // Canceled, the replay leaves nothing that has the turn.
  await cancelReplays();
  expect((await chats.statesOf(id)).filter((state) => !state.endsWith("skipped"))).toEqual(["A3 turn"]);
});

test("a release reads none of the deliveries that wait in queues, and does not wait for an event that is being stored", async () => {
  await chats.emit("A".repeat(1500));
  await replaySkipped(100);
  await sql.runText({
    text: `update webhook_deliveries set queue_chat_id = $1 where replay_id is not null and event_seq < (
             select max(event_seq) - 100 from webhook_deliveries)`,
    values: [chats.chatId("A")],
  });
  // It is behind, so that it is due again after a release.
  await sql.runText({
    text: "update webhook_replays set run_at = run_at - interval '1 hour' where ended_at is null",
  });
  await sql.runText({ text: "analyze webhook_deliveries" });
  const scans = await transaction(async (tx) => {
    await tx.runText({
      text: "select from webhook_sequences where subscription_id = $1 for no key update",
      values: [id],
    });
    return explainStatements(() => releaseReplays(now(), 10));
  });
  const read = scans.filter(({ on }) => on === "webhook_deliveries").reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(200);
  await cancelReplays();
});

test("a canceled replay that alone filled a queue leaves it empty for the next event", async () => {
  await chats.emit("A");
  await replaySkipped(1000, { hasRow: false });
  await release();
  expect(await chats.statesOf(id)).toEqual(["A1 skipped", "A1 turn"]);
  await cancelReplays();
  await chats.emit("A");
  expect(await chats.statesOf(id)).toEqual(["A1 skipped", "A2 turn"]);
});

test("a delivery that leaves its queue does not get the turn, and the queue does not count as empty", async () => {
  await chats.emit("AAA");
  await recordAttempt(outcomeOf(await claimOne()));
  const queue = { accountId: account().ref.id, subscriptionId: id, chatId: chats.chatId("A") };
  await transaction(async (tx) => {
    await tx.runText({
      text: "update webhook_deliveries set queue_chat_id = null where subscription_id = $1 and sequence = 2",
      values: [id],
    });
    expect(await transaction((other) => passFreeTurns(other, [queue], now()))).toEqual([queue]);
    await chats.emit("A");
  });
  await passHeldTurn(queue);
  expect(await chats.statesOf(id)).toEqual(["A1 delivered", "A2 waiting", "A3 turn", "A4 waiting"]);
});

test("a delivery that fails while its endpoint changes stops its chat only if the endpoint still says so; others do not wait", async () => {
  await sql.runText({
    text: "update webhook_subscriptions set stop_exhausted = true where id = $1",
    values: [id],
  });
  await chats.emit("AABC");
  const claimed = await claim();
  const named = (name: string) => {
    const found = claimed.find(({ event }) => chats.nameOf(event.id) === name);
    if (found === undefined) throw new Error(`${name} was not claimed`);
    return found;
  };
  const ends = await transaction(async (tx) => {
    await tx.runText({
      text: "update webhook_subscriptions set stop_exhausted = null where id = $1",
      values: [id],
    });
    const both = [record(named("A1"), "failed"), record(named("B1"), "failed"), record(named("C1"))];
    await untilLocked("webhook_subscriptions");
    await both[2];
    return both;
  });
  await Promise.all(ends);
  expect(await chats.statesOf(id)).toEqual(["A1 failed", "A2 turn", "B1 failed", "C1 delivered"]);
});

test("an endpoint that is disabled has neither stopped chats nor their notice", async () => {
  await sql.runText({
    text: "update webhook_subscriptions set stop_exhausted = true where id = $1",
    values: [id],
  });
  await chats.emit("AABB");
  await Promise.all((await claim()).map((delivery) => record(delivery, "failed")));
  expect(await chats.statesOf(id)).toEqual(["A1 stopped", "A2 waiting", "B1 stopped", "B2 waiting"]);
  const notices = () =>
    prisma().accountNotice.count({
      where: { objectId: id, kind: "webhook_chats_stopped", dismissedAt: null },
    });
  await mendQueues(never);
  expect(await notices()).toBe(1);
  const { id: accountId, partnerId } = account().ref;
  await disableWebhookSubscription({ accountId, partnerId, id, reason: "gone", since: now(), at: now() });
  expect(await chats.statesOf(id)).toEqual("A1 A2 B1 B2".split(" ").map((name) => `${name} skipped`));
  expect(await notices()).toBe(0);
});

test("an endpoint that is active again while chats are still stopped has their notice again", async () => {
  // A pause ends 100 queues at once, and leaves the others to the schedule.
  const letters = Array.from({ length: 101 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  await chats.emit(letters.join(""));
  await sql.runText({
    text: "update webhook_deliveries set run_at = null, attempts = 1, stopped_at = now() where subscription_id = $1",
    values: [id],
  });
  const change = (body: object) =>
    callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account().token, body });
  const stopped = async () => (await chats.statesOf(id)).filter((state) => state.endsWith("stopped")).length;
  const notices = () =>
    prisma().accountNotice.count({
      where: { objectId: id, kind: "webhook_chats_stopped", dismissedAt: null },
    });
  const shown = async () =>
    (await getWebhookSubscriptionView(account().context(), { params: { subscriptionId: id } })).stopped_chats;
  await change({ is_active: false });
  expect([await stopped(), await notices(), await shown()]).toEqual([1, 0, 0]);
  await change({ is_active: true });
  expect([await stopped(), await notices(), await shown()]).toEqual([1, 1, 1]);
  await mendQueues(never);
  expect([await stopped(), await notices()]).toEqual([1, 1]);

  // The same when the order is switched off and on again.
  await sql.runText({
    text: "update webhook_subscriptions set order_by_chat = null where id = $1",
    values: [id],
  });
  await sql.runText({
    text: "update account_notices set dismissed_at = now() where object_id = $1",
    values: [id],
  });
  await change({ ordering: "chat" });
  expect(await notices()).toBe(1);
  await change({ is_active: false });
  expect([await stopped(), await notices()]).toEqual([0, 0]);
  await change({ is_active: true });
  expect(await notices()).toBe(0);
});

test("the notice of a stopped chat is withdrawn when its delivery is deleted", async () => {
  await sql.runText({
    text: "update webhook_subscriptions set stop_exhausted = true where id = $1",
    values: [id],
  });
  await chats.emit("A");
  await record(await claimOne(), "failed");
  const where = { objectId: id, kind: "webhook_chats_stopped", dismissedAt: null };
  expect(await prisma().accountNotice.count({ where })).toBe(1);
  await sql.runText({ text: "delete from webhook_deliveries where subscription_id = $1", values: [id] });
  await mendQueues(never);
  expect(await prisma().accountNotice.count({ where })).toBe(0);
});

test("retention keeps the events of deliveries that wait in a queue", async () => {
  await chats.emit("AAB");
  const claimed = await claim();
  await Promise.all(
    claimed.map((delivery) =>
      record(delivery, chats.nameOf(delivery.event.id) === "B1" ? "delivered" : "waiting"),
    ),
  );
  setClock({ offsetMs: 400 * 86_400_000, frozenAt: null });
  await sweepEvents(never);
  expect(await chats.statesOf(id)).toEqual(["A1 turn", "A2 waiting"]);
});
