import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { createLine } from "@/lib/lines/lines/create-line";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { wakeLocally } from "@/lib/platform/database/wake";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import {
  advance,
  deliveriesOf,
  deliveryOf,
  runWebhookDelivery,
} from "@/lib/testing/events/run-webhook-delivery";
import type { Receiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";
import { claimDeliveries } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { getDeliveryView } from "@/lib/webhooks/deliveries/get-delivery-view";
import { recordAttempt } from "@/lib/webhooks/deliveries/record/record-attempts";

const HALF_AN_HOUR_MS = 30 * 60_000;
/** A response delay that can't be mistaken for a busy machine. */
const LONG_MS = 30_000;

/** The response limit of a worker without `answerMs`. */
const DEFAULT_LIMIT_MS = 10_000;

const { account, emit, emitMany, eventOf, receive, startDelivery, stopDelivery, subscribe } =
  runWebhookDelivery();

describe("an endpoint that", () => {
  test("answers 2xx gets the event once, signed, and the attempt is on record", async () => {
    const receiver = await receive((response) => response.writeHead(202).end(`ok \0 ${"é".repeat(4000)}`));
    const { id, signing_secret } = await subscribe(receiver.url);
    await emit();

    const delivery = await deliveryOf(id);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 1, runAt: null, leaseUntil: null });
    expect(delivery.tries).toMatchObject([{ number: 1, statusCode: 202, error: null }]);
    expect(delivery.tries[0]?.latencyMs).toBeGreaterThan(0);
    expect(delivery.tries[0]?.responseBody).toMatch(/^ok {2}é+$/);
    expect(Buffer.byteLength(delivery.tries[0]?.responseBody ?? "")).toBeGreaterThan(4000);

    const [webhook] = receiver.received;
    const verified = new Webhook(signing_secret).verify(webhook?.body ?? "", webhook?.headers ?? {});
    expect(verified).toMatchObject({
      event_type: "message.sent",
      webhook_version: "2026-02-03",
      api_version: "v3",
    });
    expect(webhook?.headers).toMatchObject({
      "content-type": "application/json",
      "x-webhook-event": "message.sent",
      "x-webhook-subscription-id": id,
      "webhook-id": (verified as { event_id: string }).event_id,
    });
    expect(receiver.received).toHaveLength(1);
  });

  test("fails three times and then answers 200 gets the same event four times", async () => {
    const receiver = await receive((response, count) => response.writeHead(count <= 3 ? 503 : 200).end());
    const { id } = await subscribe(receiver.url);
    await emit();

    const delivery = await deliveryOf(id);
    expect(delivery.status).toBe("delivered");
    expect(delivery.tries.map((attempt) => attempt.statusCode)).toEqual([503, 503, 503, 200]);
    expect(new Set(receiver.received.map((webhook) => webhook.body)).size).toBe(1);
    expect(new Set(receiver.received.map((webhook) => webhook.headers["webhook-id"])).size).toBe(1);
  });

  test("always answers 500 gets exactly eleven attempts over about 25 minutes", async () => {
    const receiver = await receive((response) => response.writeHead(500).end());
    const { id } = await subscribe(receiver.url);
    await emit();

    const { status, attempts, tries } = await deliveryOf(id);
    expect({ status, attempts }).toEqual({ status: "failed", attempts: 11 });
    const minutes = ((tries[10]?.startedAt.getTime() ?? 0) - (tries[0]?.startedAt.getTime() ?? 0)) / 60_000;
    expect(minutes).toBeGreaterThan(22);
    expect(minutes).toBeLessThan(27);

    advance(HALF_AN_HOUR_MS);
    await sleep(100);
    expect(receiver.received).toHaveLength(11);
  });

  test.each([
    [404, {}],
    [400, {}],
    [302, { location: "/elsewhere" }],
  ])("answers %i gets the event once and nothing is followed", async (status, headers) => {
    const receiver = await receive((response) => response.writeHead(status, headers).end("no"));
    const { id } = await subscribe(receiver.url);
    await emit();

    const delivery = await deliveryOf(id);
    expect(delivery).toMatchObject({ status: "failed", attempts: 1 });
    expect(delivery.tries).toMatchObject([{ statusCode: status, responseBody: "no" }]);
    advance(HALF_AN_HOUR_MS);
    await sleep(50);
    expect(receiver.received.map((webhook) => webhook.path)).toEqual(["/hook"]);
  });

  test("receives 429 is retried", async () => {
    const receiver = await receive((response, count) => response.writeHead(count === 1 ? 429 : 200).end());
    const { id } = await subscribe(receiver.url);
    await emit();
    expect((await deliveryOf(id)).tries.map((attempt) => attempt.statusCode)).toEqual([429, 200]);
  });

  test("hangs is given up after the time limit, and tried again", async () => {
    const limitMs = 1000;
    await stopDelivery();
    startDelivery(limitMs);
    const receiver = await receive((response, count) => count > 1 && response.end());
    const { id } = await subscribe(receiver.url);
    await emit();

    const { status, tries } = await deliveryOf(id);
    expect(status).toBe("delivered");
    expect(tries[0]).toMatchObject({ error: "timeout", statusCode: null });
    // On a busy machine further attempts may end at the limit.
    expect(tries.at(-1)).toMatchObject({ error: null, statusCode: 200 });
    expect(tries[0]?.latencyMs).toBeGreaterThan(limitMs - 20);
    expect(tries[0]?.latencyMs).toBeLessThan(DEFAULT_LIMIT_MS);
    await stopDelivery();
    startDelivery();
  });

  test("resets the connection is tried again", async () => {
    const receiver = await receive((response, count, request) => {
      if (count === 1) request.socket.resetAndDestroy();
      else response.end();
    });
    const { id } = await subscribe(receiver.url);
    await emit();
    expect((await deliveryOf(id)).tries.map((attempt) => attempt.error)).toEqual(["reset", null]);
  });

  test("refuses connections is tried again", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    await receiver.close();
    await emit();
    const delivery = await deliveryOf(id, ({ tries }) => tries.length === 2);
    expect(delivery.tries.map((attempt) => attempt.error)).toEqual(["refused", "refused"]);
    expect(delivery.status).toBe("waiting");
  });

  test.each([
    ["has no address", "https://hooks.invalid/", "dns"],
    ["has turned private", "https://10.0.0.1/", "private_target"],
  ])("%s is tried once", async (_what, targetUrl, error) => {
    const { id } = await subscribe("https://hooks.example.com/");
    await sql.runText({
      text: "update webhook_subscriptions set target_url = $1 where id = $2",
      values: [targetUrl, id],
    });
    await emit();
    const delivery = await deliveryOf(id);
    expect(delivery).toMatchObject({ status: "failed", attempts: 1, tries: [{ error, statusCode: null }] });
  });
});

describe("at least once", () => {
  test("a delivery whose process died before recording is sent again when its lease has run out", async () => {
    await stopDelivery();
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    await emit();
    const dead = await claimDeliveries(new EndpointSlots(512), { limit: 10, leaseMs: 600_000 });
    expect(dead.claimed.map((claimed) => claimed.attempt)).toEqual([1]);

    startDelivery();
    await sleep(100);
    expect(receiver.received).toHaveLength(0);

    await sql.runText({
      text: "update webhook_deliveries set lease_until = now() where subscription_id = $1",
      values: [id],
    });
    wakeLocally("deliveries");
    const delivery = await deliveryOf(id);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 2 });
    expect(delivery.tries.map((attempt) => attempt.number)).toEqual([2]);
  });

  test("a late failure of an old claim changes nothing; a late success ends the delivery", async () => {
    await stopDelivery();
    const { id } = await subscribe("https://hooks.example.com/");
    await emit();
    const claim = async () => {
      const { claimed } = await claimDeliveries(new EndpointSlots(512), { limit: 10, leaseMs: 0 });
      return claimed.find(({ subscription }) => subscription.id === id);
    };
    const old = await claim();
    const current = await claim();
    if (old === undefined || current === undefined) throw new Error("nothing was claimed");
    const result = {
      startedAt: now(),
      latencyMs: 1,
      timing: null,
      request: null,
      error: null,
      responseHeaders: null,
      responseBody: null,
      retryAfterMs: null,
    };

    const late = { delivery: old, at: now() };
    await recordAttempt({
      ...late,
      result: { ...result, statusCode: 404 },
      evaluation: { status: "failed", retryInMs: null },
    });
    expect(await deliveriesOf(id)).toMatchObject([
      { status: "waiting", attempts: 2, tries: [{ number: 1 }] },
    ]);

    await sql.runText({ text: "delete from webhook_attempts" });
    await recordAttempt({
      ...late,
      result: { ...result, statusCode: 200 },
      evaluation: { status: "delivered", retryInMs: null },
    });
    await recordAttempt({
      delivery: current,
      at: now(),
      result: { ...result, statusCode: 500 },
      evaluation: { status: "waiting", retryInMs: 2000 },
    });
    expect(await deliveriesOf(id)).toMatchObject([{ status: "delivered", runAt: null, tries: [{}, {}] }]);
    startDelivery();
  });

  test("a delivery is created in the event's own transaction", async () => {
    const { id } = await subscribe("https://hooks.example.com/");
    const interrupted = transaction(async (tx) => {
      await emitEvents(tx, [eventOf("message.sent")]);
      const [inside] = await tx.runText<{ count: number }>({
        text: "select count(*)::int as count from webhook_deliveries where subscription_id = $1",
        values: [id],
      });
      expect(inside?.count).toBe(1);
      expect(await deliveriesOf(id)).toEqual([]);
      throw new Error("interrupted");
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    expect(await deliveriesOf(id)).toEqual([]);
  });
});

test("an endpoint that hangs does not delay another", async () => {
  const slow = await receive(() => undefined);
  const quick = await receive();
  await stopDelivery();
  startDelivery(LONG_MS);
  await subscribe(slow.url);
  await emitMany(200);
  await until(() => slow.received.length >= 8);
  const { id } = await subscribe(quick.url);

  const delays: number[] = [];
  for (let count = 1; count <= 20; count++) {
    const emitted = performance.now();
    await emit("message.received");
    await until(() => quick.received.length === count);
    delays.push((quick.received.at(-1)?.at ?? 0) - emitted);
  }

  expect(Math.max(...delays)).toBeLessThan(LONG_MS / 2);
  expect(slow.received.length).toBeLessThan(100);
  expect((await deliveriesOf(id)).every((delivery) => delivery.attempts === 1)).toBe(true);

  await slow.close();
  await stopDelivery();
  startDelivery();
});

test("an endpoint gets the events it asked for, of the lines it asked for, and those without a line", async () => {
  const all = await receive();
  const filtered = await receive();
  const chatsOnly = await receive();
  await subscribe(all.url);
  await subscribe(filtered.url, { phone_numbers: [account().line] });
  await subscribe(chatsOnly.url, { subscribed_events: ["chat.created"] });
  const { id: otherLineId } = await createLine(account().ref, {
    phoneNumber: "+15559990001",
    lineType: "RCS",
    transport: "simulator",
  });

  await emit("message.sent");
  await emit("message.sent", { lineId: otherLineId });
  await emit("chat.created", { lineId: null });

  const types = (receiver: Receiver) =>
    receiver.received.map(({ headers }) => headers["x-webhook-event"]).sort();
  await until(
    () => all.received.length === 3 && filtered.received.length === 2 && chatsOnly.received.length === 1,
  );
  await sleep(50);
  expect(types(all)).toEqual(["chat.created", "message.sent", "message.sent"]);
  expect(types(filtered)).toEqual(["chat.created", "message.sent"]);
  expect(types(chatsOnly)).toEqual(["chat.created"]);
});

test("internal events and another account's are not delivered", async () => {
  const receiver = await receive();
  await subscribe(receiver.url);
  const stranger = await createTestAccount({ type: "sandbox" });
  await transaction((tx) =>
    emitEvents(tx, [
      { ...eventOf("message.sent"), internal: true },
      { ...eventOf("message.sent"), accountId: stranger.ref.id },
    ]),
  );
  await emit("chat.created");
  await until(() => receiver.received.length > 0);
  await sleep(50);
  expect(receiver.received.map(({ headers }) => headers["x-webhook-event"])).toEqual(["chat.created"]);
});

test("each subscription gets the payload version of its target", async () => {
  const receiver = await receive();
  await subscribe(`${receiver.url}?version=2025-01-01`);
  await subscribe(`${receiver.url}?version=2026-02-03`);
  await emit("message.received");
  await until(() => receiver.received.length === 2);

  const bodies = new Map(receiver.received.map(({ path, body }) => [path, JSON.parse(body)]));
  const old = bodies.get("/hook?version=2025-01-01");
  const current = bodies.get("/hook?version=2026-02-03");
  expect(old).toMatchObject({ webhook_version: "2025-01-01", data: { is_from_me: false } });
  expect(current).toMatchObject({ webhook_version: "2026-02-03", data: { direction: "inbound" } });
  expect(old.event_id).toBe(current.event_id);
});

test("a pending delivery of an event that the new version lacks is skipped with the reason and stays visible", async () => {
  await stopDelivery();
  const receiver = await receive();
  const { id } = await subscribe(receiver.url, { subscribed_events: ["message.edited", "message.sent"] });
  await emit("message.edited");
  await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
    token: account().token,
    body: { target_url: `${receiver.url}?version=2025-01-01` },
  });
  startDelivery();

  const delivery = await deliveryOf(id);
  expect(delivery).toMatchObject({ status: "skipped", attempts: 1, runAt: null, leaseUntil: null });
  expect(delivery.tries).toMatchObject([{ number: 1, statusCode: null, error: "not_in_version" }]);
  await emit("message.sent");
  await until(() => receiver.received.length === 1);
  expect(receiver.received[0]?.headers["x-webhook-event"]).toBe("message.sent");

  const shown = await getDeliveryView(account().context(), { params: { deliveryId: delivery.id } });
  expect(shown).toMatchObject({
    version: "2026-02-03",
    payload: { event_type: "message.edited", webhook_version: "2026-02-03" },
    attempts: [{ error: "not_in_version", explanation: expect.stringContaining("no such event") }],
  });
});

test("pending deliveries of a paused or deleted subscription are skipped, not sent", async () => {
  await stopDelivery();
  const receiver = await receive();
  const paused = await subscribe(`${receiver.url}?paused`);
  const deleted = await subscribe(`${receiver.url}?deleted`);
  await emitMany(600);
  await callApi(`PUT /v3/webhook-subscriptions/${paused.id}`, {
    token: account().token,
    body: { is_active: false },
  });
  await callApi(`DELETE /v3/webhook-subscriptions/${deleted.id}`, { token: account().token });
  await emit();

  startDelivery();
  const pending = { subscriptionId: { in: [paused.id, deleted.id] }, runAt: { not: null } };
  await until(async () => (await prisma().webhookDelivery.count({ where: pending })) === 0);
  // New events are skipped immediately while the subscription is paused. A deleted subscription gets no further
  // deliveries.
  for (const { id, pending } of [
    { ...paused, pending: 601 },
    { ...deleted, pending: 600 },
  ]) {
    const deliveries = await deliveriesOf(id);
    expect(deliveries).toHaveLength(pending);
    expect(
      new Set(deliveries.map(({ status, attempts, runAt }) => `${status} ${attempts} ${runAt}`)),
    ).toEqual(new Set(["skipped 0 null"]));
  }
  expect(receiver.received).toHaveLength(0);
});

test("an event that cannot be rendered is tried again by the schedule and does not stop others", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url);
  await transaction((tx) => emitEvents(tx, [{ ...eventOf("message.sent"), data: { nothing: true } }]));
  const delivery = await deliveryOf(id, ({ tries }) => tries.length === 2);
  expect(delivery.tries.map((attempt) => attempt.error)).toEqual(["internal", "internal"]);
  await emit();
  await until(() => receiver.received.length === 1);
});
