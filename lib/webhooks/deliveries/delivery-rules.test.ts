import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { prisma, sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { deliveriesOf, deliveryOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";
import { toPostedRequest } from "@/lib/webhooks/deliveries/attempt/stored-request";
import { setRateLimit } from "@/lib/webhooks/endpoints/set-rate-limit";

/** A response delay that can't be mistaken for a busy machine. */
const LONG_MS = 8000;

const { account, emit, emitMany, receive, startDelivery, stopDelivery, subscribe } = runWebhookDelivery();

function subscription(id: string) {
  return prisma().webhookSubscription.findFirstOrThrow({ where: { id } });
}

function accountEvents(type: string) {
  return sql.runText<{ data: { webhook_subscription: { id: string }; reason?: string; actor: object } }>({
    text: "select data from events where account_id = $1 and type = $2 order by seq desc",
    values: [account().ref.id, type],
  });
}

/** The waits between a delivery's attempts, in seconds. */
function waitsOf(tries: { startedAt: Date }[]): number[] {
  return tries.slice(1).map(({ startedAt }, index) => {
    const before = tries[index]?.startedAt ?? startedAt;
    return (startedAt.getTime() - before.getTime()) / 1000;
  });
}

/** Backdates an endpoint's first 410 by an hour. */
const anHourBack = (id: string) =>
  sql.runText({
    text: "update webhook_subscriptions set gone_at = gone_at - interval '1 hour' where id = $1",
    values: [id],
  });

describe("an endpoint that answers 410", () => {
  test("is disabled, with an event and a notice, and later deliveries are skipped", async () => {
    const gone = await receive((response) => response.writeHead(410).end());
    const watcher = await receive();
    const { id } = await subscribe(`${gone.url}?secret=1`);
    await subscribe(watcher.url, { subscribed_events: ["webhook_subscription.disabled"] });
    await emit();
    await until(async () => (await deliveriesOf(id)).at(-1)?.status === "failed");
    expect(await subscription(id)).toMatchObject({ isActive: true, goneAt: expect.any(Date) });
    await anHourBack(id);
    await emit();
    await until(async () => !(await subscription(id)).isActive);

    expect((await deliveriesOf(id))[0]).toMatchObject({
      status: "failed",
      attempts: 1,
      tries: [{ statusCode: 410 }],
    });
    expect(await subscription(id)).toMatchObject({
      isActive: false,
      disabledReason: "gone",
      disabledAt: expect.any(Date),
    });
    const [event] = await accountEvents("webhook_subscription.disabled");
    expect(event?.data).toMatchObject({
      webhook_subscription: { id, target_url: gone.url },
      reason: "gone",
      actor: { type: "system" },
      origin: "service",
    });
    await until(() => watcher.received.length === 1);
    const [notice] = await prisma().accountNotice.findMany({ where: { objectId: id } });
    expect(notice).toMatchObject({
      kind: "webhook_disabled",
      severity: "critical",
      link: `/webhooks/${id}?resume`,
      dismissedAt: null,
    });
    expect(`${notice?.title} ${notice?.body}`).not.toContain("secret");

    await emit("message.received");
    const [, , skipped] = await deliveriesOf(id);
    expect(skipped).toMatchObject({ status: "skipped", attempts: 0, runAt: null, endedAt: expect.any(Date) });
    expect(gone.received).toHaveLength(2);
  });

  test("once, or with a success in between, goes on", async () => {
    let status = 410;
    const receiver = await receive((response) => response.writeHead(status).end());
    const { id } = await subscribe(receiver.url);
    for (status of [410, 200, 410]) {
      await anHourBack(id);
      await emit();
      const expected = status === 200 ? "delivered" : "failed";
      await until(async () => (await deliveriesOf(id)).at(-1)?.status === expected);
    }
    expect(receiver.received).toHaveLength(3);
    expect(await subscription(id)).toMatchObject({ isActive: true, goneAt: expect.any(Date) });
  });

  test("is enabled again by hand, and gets what happens from then on", async () => {
    let isGone = true;
    const receiver = await receive((response) => response.writeHead(isGone ? 410 : 200).end());
    const { id } = await subscribe(receiver.url);
    await emit();
    await until(async () => (await deliveriesOf(id)).at(-1)?.status === "failed");
    await anHourBack(id);
    await emit();
    await until(async () => !(await subscription(id)).isActive);
    await emit();

    isGone = false;
    const { status } = await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { is_active: true },
    });
    expect(status).toBe(200);
    expect(await subscription(id)).toMatchObject({ isActive: true, disabledReason: null, disabledAt: null });
    const notices = await prisma().accountNotice.findMany({ where: { objectId: id, dismissedAt: null } });
    expect(notices.map(({ kind }) => kind)).toEqual(["webhook_events_skipped"]);
    const [event] = await accountEvents("webhook_subscription.enabled");
    expect(event?.data.webhook_subscription.id).toBe(id);

    await emit();
    await until(async () => (await deliveriesOf(id)).at(-1)?.status === "delivered");
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual([
      "failed",
      "failed",
      "skipped",
      "delivered",
    ]);
  });

  test("late, after it got another target, is not disabled", async () => {
    const slow = await receive((response) => setTimeout(() => response.writeHead(410).end(), 200));
    const moved = await receive();
    const { id } = await subscribe(slow.url);
    await emit();
    await until(() => slow.received.length === 1);
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { target_url: moved.url },
    });

    expect(await deliveryOf(id)).toMatchObject({ status: "failed", tries: [{ statusCode: 410 }] });
    expect(await subscription(id)).toMatchObject({ isActive: true, disabledReason: null });
  });
});

describe("Retry-After", () => {
  test.each([
    ["seconds", () => "90"],
    ["a date", () => new Date(Date.now() + 90_500).toUTCString()],
  ])("in %s is waited for, and the retry after it is scheduled as ever", async (_form, header) => {
    const receiver = await receive((response, count) => {
      if (count === 1) response.writeHead(429, { "retry-after": header() });
      else response.statusCode = count === 2 ? 503 : 200;
      response.end();
    });
    const { id } = await subscribe(receiver.url);
    await emit();

    const { status, tries } = await deliveryOf(id);
    expect(status).toBe("delivered");
    const [first, second] = waitsOf(tries);
    // A date has whole seconds, and a busy machine reads it late. The schedule alone would wait for seconds.
    expect(first).toBeGreaterThan(80);
    expect(first).toBeLessThan(92);
    expect(second).toBeGreaterThan(3.5);
    expect(second).toBeLessThan(6);
  });

  test("shorter than the schedule changes nothing, and on a final answer neither", async () => {
    const hasty = await receive((response) => response.writeHead(503, { "retry-after": "1" }).end());
    const final = await receive((response) => response.writeHead(404, { "retry-after": "30" }).end());
    const [a, b] = [await subscribe(hasty.url), await subscribe(final.url)];
    await emit();
    const { tries } = await deliveryOf(a.id, (delivery) => delivery.tries.length === 4);
    for (const [index, wait] of waitsOf(tries).entries())
      expect(wait).toBeGreaterThan([1.8, 3.6, 7.2][index] ?? 0);
    expect(await deliveryOf(b.id)).toMatchObject({ status: "failed", attempts: 1 });
  });

  test("for ever is cut to the window: all attempts are over after about 25 minutes", async () => {
    const receiver = await receive((response) => response.writeHead(503, { "retry-after": "86400" }).end());
    const { id } = await subscribe(receiver.url);
    const from = now().getTime();
    await emit();

    const { status, tries } = await deliveryOf(id);
    expect(status).toBe("failed");
    expect(waitsOf(tries)[0]).toBeGreaterThan(25 * 60 - 1);
    expect((tries.at(-1)?.startedAt.getTime() ?? 0) - from).toBeLessThan(28 * 60_000);
    expect(receiver.received).toHaveLength(tries.length);
  });
});

describe("a subscription's own retry ladder", () => {
  const DAY_SECONDS = 86_400;

  test("of three days is followed to its end, while the endpoint without one follows the instance's", async () => {
    const failing = await receive((response) => response.writeHead(500).end());
    const other = await receive((response) => response.writeHead(500).end());
    const retry_seconds = [5, 3600, DAY_SECONDS, 2 * DAY_SECONDS - 3605];
    const own = await subscribe(failing.url, { retry_seconds });
    const plain = await subscribe(other.url);
    await emit();

    const { status, tries } = await deliveryOf(own.id);
    expect(status).toBe("failed");
    const waits = waitsOf(tries);
    expect(waits).toHaveLength(retry_seconds.length);
    for (const [index, wait] of waits.entries()) {
      expect(wait / (retry_seconds[index] ?? 1)).toBeGreaterThanOrEqual(0.9);
      // A first wait of a few seconds is late on a busy machine.
      if (index > 0) expect(wait / (retry_seconds[index] ?? 1)).toBeLessThanOrEqual(1.1);
    }
    expect((await deliveryOf(plain.id)).tries).toHaveLength(11);
  });

  test("is the window of Retry-After, and its change counts from the next attempt on", async () => {
    const receiver = await receive((response) => response.writeHead(503, { "retry-after": "7200" }).end());
    const { id } = await subscribe(receiver.url, { retry_seconds: [60, DAY_SECONDS] });
    await emit();
    await deliveryOf(id, ({ tries, leaseUntil }) => tries.length === 1 && leaseUntil === null);
    const change = await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { retry_seconds: [60] },
    });
    expect(change.status).toBe(200);

    const { status, tries } = await deliveryOf(id);
    expect(status).toBe("failed");
    expect(waitsOf(tries)).toHaveLength(1);
    expect(waitsOf(tries)[0]).toBeGreaterThanOrEqual(7200);
  });

  test("is the number of attempts that the log of deliveries names", async () => {
    const receiver = await receive((response) => response.writeHead(204).end());
    const { id } = await subscribe(receiver.url, { retry_seconds: [60, 600] });
    await emit();
    await deliveryOf(id);
    const { body } = await callApi(`GET /v1/webhook-logs?subscription_id=${id}`, { token: account().token });
    expect(body.webhook_logs).toMatchObject([{ max_attempts: 3 }]);
  });
});

test("an attempt records what was posted, where its time went, and what came back", async () => {
  const receiver = await receive((response) => {
    setTimeout(() => {
      response.writeHead(200, {
        "content-type": "text/html",
        "set-cookie": "session=secret",
        "x-request-id": "r1",
        server: "s".repeat(900),
      });
      response.end("<script>alert(1)</script>");
    }, 50);
  });
  const { id, signing_secret } = await subscribe(receiver.url);
  await emit();

  const [attempt] = (await deliveryOf(id)).tries;
  const [webhook] = receiver.received;
  const origin = {
    eventId: `${webhook?.headers["webhook-id"]}`,
    eventType: "message.sent",
    subscriptionId: id,
  };
  expect(toPostedRequest(attempt?.request, origin)).toEqual({
    url: receiver.url,
    version: "2026-02-03",
    headers: {
      "content-type": "application/json",
      "user-agent": "Trunkline-Webhooks/1",
      "webhook-id": webhook?.headers["webhook-id"],
      "webhook-timestamp": webhook?.headers["webhook-timestamp"],
      "webhook-signature": webhook?.headers["webhook-signature"],
      "x-webhook-event": "message.sent",
      "x-webhook-subscription-id": id,
      "x-webhook-timestamp": webhook?.headers["x-webhook-timestamp"],
      "x-webhook-signature": webhook?.headers["x-webhook-signature"],
    },
  });
  expect(JSON.stringify(attempt?.request)).not.toContain(signing_secret.slice("whsec_".length));
  expect(attempt?.responseHeaders).toEqual({
    "content-type": "text/html",
    server: "s".repeat(500),
    "x-request-id": "r1",
  });
  expect(attempt?.responseBody).toBe("<script>alert(1)</script>");
  expect(attempt).toMatchObject({ dnsMs: 0, connectMs: expect.any(Number), tlsMs: null });
  expect(attempt?.firstByteMs).toBeGreaterThan(45);
  expect(attempt?.latencyMs).toBeGreaterThan(attempt?.firstByteMs ?? 0);

  await emit("message.received");
  await until(async () => (await deliveriesOf(id)).every(({ status }) => status === "delivered"));
  const reused = (await deliveriesOf(id))[1]?.tries[0];
  expect(reused).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
  expect(reused?.firstByteMs).toBeGreaterThan(45);
});

test("the envelope carries the delivery's sequence, the same on every attempt", async () => {
  const receiver = await receive((response, count) => response.writeHead(count === 1 ? 500 : 200).end());
  const { id } = await subscribe(receiver.url);
  await emit();
  await deliveryOf(id);
  await emit("message.received");
  await until(() => receiver.received.length === 3);
  expect(receiver.received.map(({ body }) => JSON.parse(body).sequence)).toEqual([1, 1, 2]);
});

describe("a rate limit", () => {
  async function limited(perSecond: number | null, url: string): Promise<string> {
    const { id } = await subscribe(url);
    await setRateLimit(account().context(), {
      params: { subscriptionId: id },
      body: { rate_limit: perSecond },
    });
    return id;
  }

  test("spreads a burst without delaying other endpoints", async () => {
    const [slowed, free] = [await receive(), await receive()];
    await limited(20, slowed.url);
    await subscribe(free.url);
    const from = performance.now();
    await emitMany(60);

    await until(() => free.received.length === 60 && slowed.received.length === 60);
    expect(free.received.at(-1)?.at).toBeLessThan(slowed.received.at(-1)?.at ?? 0);
    // The first half second's deliveries may arrive immediately.
    expect((performance.now() - from) / 1000).toBeGreaterThan(2.3);
    const at = slowed.received.map((webhook) => webhook.at);
    const inOneSecond = at.map((start) => at.filter((time) => time >= start && time < start + 1000).length);
    expect(Math.max(...inOneSecond)).toBeLessThan(42);
  });

  test("holds over several workers together", async () => {
    const receiver = await receive();
    await limited(10, receiver.url);
    startDelivery();
    startDelivery();
    await emitMany(40);
    const from = performance.now();
    await sleep(1500);
    const rate = receiver.received.length / ((performance.now() - from) / 1000 + 0.5);
    expect(rate).toBeGreaterThan(3);
    expect(rate).toBeLessThan(10.5);
    await stopDelivery();
    startDelivery();
  });

  test("of one a second lets one through a second; lifted, the rest comes at once", async () => {
    const receiver = await receive();
    const id = await limited(1, receiver.url);
    await emitMany(10);
    await sleep(1200);
    expect(receiver.received.length).toBeGreaterThan(0);
    expect(receiver.received.length).toBeLessThan(4);
    await setRateLimit(account().context(), { params: { subscriptionId: id }, body: { rate_limit: null } });
    await until(() => receiver.received.length === 10);
  });
});

test("sixty endpoints that hang do not delay one that is well, from the first moment on", async () => {
  const slow = await receive(() => undefined);
  const quick = await receive();
  await Promise.all(Array.from({ length: 60 }, (_, index) => subscribe(`${slow.url}?${index}`)));
  await subscribe(quick.url, { subscribed_events: ["message.received"] });
  // Restarts the worker, so that it knows none of the endpoints, with a long response limit.
  await stopDelivery();
  startDelivery(LONG_MS);
  await emitMany(20);
  await until(() => slow.received.length >= 60);

  const delays: number[] = [];
  for (let count = 1; count <= 10; count++) {
    const emitted = performance.now();
    await emit("message.received");
    await until(() => quick.received.length === count);
    delays.push((quick.received.at(-1)?.at ?? 0) - emitted);
  }
  expect(Math.max(...delays)).toBeLessThan(LONG_MS / 4);
  await until(() => slow.received.length > 384);

  await slow.close();
  await stopDelivery();
  startDelivery();
});
