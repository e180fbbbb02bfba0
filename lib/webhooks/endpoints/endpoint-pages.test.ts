import "@/lib/testing/use-test-database";

import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { latencyStep } from "@/lib/platform/telemetry/latency-steps";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { advance, deliveriesOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";
import { getDeliveryView } from "@/lib/webhooks/deliveries/get-delivery-view";
import { ListDeliveryViews, listDeliveryViews } from "@/lib/webhooks/deliveries/list-delivery-views";
import { getEndpointStats } from "@/lib/webhooks/endpoints/get-endpoint-stats";
import { getWebhookSubscriptionView } from "@/lib/webhooks/endpoints/get-webhook-subscription-view";
import { listWebhookSubscriptionViews } from "@/lib/webhooks/endpoints/list-webhook-subscription-views";
import { rotateWebhookSecret } from "@/lib/webhooks/endpoints/rotate-webhook-secret";
import { setRateLimit } from "@/lib/webhooks/endpoints/set-rate-limit";

const HOUR_MS = 3_600_000;
const NOON = new Date("2026-11-21T12:20:00.000Z");

const { account, emit, emitMany, eventOf, receive, subscribe, stopDelivery, startDelivery } =
  runWebhookDelivery();

afterEach(() => setClock(null));

/** Responds with a status. The retry of a failed delivery does not become due during a test. */
function respond(response: ServerResponse, status: number): void {
  response.writeHead(status, status >= 500 ? { "retry-after": "600" } : {}).end();
}

function at(time: Date): void {
  setClock({ offsetMs: 0, frozenAt: time });
}

function before(time: Date, hours: number): Date {
  return new Date(time.getTime() - hours * HOUR_MS);
}

interface Counted {
  hours: number;
  outcome: string;
  latencyMs?: number;
  count?: number;
  shard?: number;
}

async function counted(id: string, ...rows: Counted[]): Promise<void> {
  for (const { hours, outcome, latencyMs = 20, count = 1, shard = 0 } of rows) {
    const time = before(NOON, hours);
    await sql.runText({
      text: `insert into webhook_attempt_counts
               (account_id, subscription_id, hour, outcome, latency_step, shard, count, first_at, last_at)
             values ($1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), $4, $5, $6, $7, $3, $3)`,
      values: [account().ref.id, id, time, outcome, latencyStep(latencyMs), shard, count],
    });
  }
}

/** Counts the statements that `work` sends, while no worker claims deliveries. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  await stopDelivery();
  const count = await countStatements(work);
  startDelivery();
  return count;
}

function statsOf(id: string, period: "24h" | "7d", ctx = account().context()) {
  return getEndpointStats(ctx, { params: { subscriptionId: id }, query: { period } });
}

function list(id: string, query: Record<string, string> = {}, ctx = account().context()) {
  return listDeliveryViews(ctx, {
    params: { subscriptionId: id },
    query: ListDeliveryViews.query.parse(query),
  });
}

async function listed(id: string, query: Record<string, string>): Promise<string[]> {
  return (await list(id, query)).deliveries.map(({ event }) => event.type);
}

describe("the list of endpoints", () => {
  test("shows the attempts of the last 24 hours, hour by hour, of every endpoint in one statement", async () => {
    at(NOON);
    const { id } = await subscribe("https://hooks.example.com/1");
    await counted(
      id,
      { hours: 0, outcome: "200", count: 3 },
      { hours: 0, outcome: "200", count: 4, shard: 1 },
      { hours: 0, outcome: "500", count: 2 },
      { hours: 23, outcome: "timeout" },
      { hours: 24, outcome: "200", count: 50 },
    );

    const list = () => listWebhookSubscriptionViews(account().context());
    const [endpoint] = (await list()).endpoints;
    expect(endpoint?.last_24_hours).toMatchObject({ succeeded: 7, failed: 3 });
    const { hours = [] } = endpoint?.last_24_hours ?? {};
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({ at: "2026-11-20T13:00:00.000Z", succeeded: 0, failed: 1 });
    expect(hours[12]).toMatchObject({ succeeded: 0, failed: 0 });
    expect(hours[23]).toEqual({ at: "2026-11-21T12:00:00.000Z", succeeded: 7, failed: 2 });

    expect(await statementsOf(list)).toBe(1);
    for (let count = 2; count < 12; count++) {
      await counted((await subscribe(`https://hooks.example.com/${count}`)).id, { hours: 1, outcome: "200" });
    }
    expect(await statementsOf(list)).toBe(1);
    expect((await list()).endpoints).toHaveLength(11);
  });

  test("shows each endpoint's state, and never a secret", async () => {
    const { id, signing_secret } = await subscribe("https://hooks.example.com/state");
    const get = () => getWebhookSubscriptionView(account().context(), { params: { subscriptionId: id } });
    expect(await get()).toMatchObject({
      state: "active",
      version: "2026-02-03",
      rate_limit: null,
      failing_since: null,
      warned_percent: 0,
      disabled_reason: null,
      signing_secret_state: { rotated_at: null, previous_valid_until: null, legacy_signed_by: "current" },
    });

    await rotateWebhookSecret(account().context(), {
      params: { subscriptionId: id },
      body: { overlap_hours: 1 },
    });
    await setRateLimit(account().context(), { params: { subscriptionId: id }, body: { rate_limit: 5 } });
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { is_active: false },
    });
    const paused = await get();
    expect(paused).toMatchObject({
      state: "paused",
      rate_limit: 5,
      disabled_reason: "manual",
      disabled_at: expect.any(String),
      signing_secret_state: {
        rotated_at: expect.any(String),
        previous_valid_until: expect.any(String),
        legacy_signed_by: "previous",
      },
    });
    const [endpoint] = (await listWebhookSubscriptionViews(account().context())).endpoints;
    expect(endpoint).toMatchObject(paused);
    expect(JSON.stringify(endpoint)).not.toContain(signing_secret);

    advance(HOUR_MS);
    expect((await get()).signing_secret_state).toMatchObject({
      previous_valid_until: null,
      legacy_signed_by: "current",
    });
  });
});

describe("the statistics of an endpoint", () => {
  test("are by hour for a day and by six hours for a week, with percentiles and reasons", async () => {
    at(NOON);
    const { id } = await subscribe("https://hooks.example.com/stats");
    await counted(
      id,
      { hours: 0, outcome: "200", latencyMs: 20, count: 94 },
      { hours: 0, outcome: "503", latencyMs: 2000, count: 6 },
      { hours: 5, outcome: "timeout", latencyMs: 10_000, count: 3 },
      { hours: 5, outcome: "503", latencyMs: 40, count: 1 },
      { hours: 100, outcome: "404", latencyMs: 10, count: 9 },
      { hours: 200, outcome: "404", latencyMs: 10, count: 9 },
    );

    const day = await statsOf(id, "24h");
    expect(day).toMatchObject({ bucket_seconds: 3600, total: { succeeded: 94, failed: 10 } });
    expect(day.buckets).toHaveLength(24);
    const current = day.buckets.at(-1);
    expect(current).toMatchObject({ at: "2026-11-21T12:00:00.000Z", succeeded: 94, failed: 6 });
    expect(current?.p50_ms).toBeGreaterThan(18);
    expect(current?.p50_ms).toBeLessThan(22);
    expect(current?.p95_ms).toBeGreaterThan(1800);
    expect(day.buckets.at(-2)).toMatchObject({ succeeded: 0, failed: 0, p50_ms: null, p95_ms: null });
    expect(day.failures).toMatchObject([
      { reason: "503", count: 7, last_at: NOON.toISOString() },
      { reason: "timeout", count: 3 },
    ]);
    for (const { explanation } of day.failures) expect(explanation.length).toBeGreaterThan(20);

    const week = await statsOf(id, "7d");
    expect(week).toMatchObject({ bucket_seconds: 21_600, total: { succeeded: 94, failed: 19 } });
    expect(week.buckets).toHaveLength(28);
    expect(week.buckets.at(-1)).toMatchObject({ at: "2026-11-21T12:00:00.000Z", succeeded: 94, failed: 6 });
    expect(week.buckets.at(-2)).toMatchObject({ at: "2026-11-21T06:00:00.000Z", failed: 4 });
    expect(week.failures[0]).toMatchObject({ reason: "404", count: 9 });
  });

  test("count what deliveries really came to, and what still waits", async () => {
    let status = 200;
    const receiver = await receive((response) => respond(response, status));
    const { id } = await subscribe(receiver.url);
    await emitMany(5);
    await until(async () => (await deliveriesOf(id)).every((delivery) => delivery.status === "delivered"));
    status = 500;
    await emitMany(3);
    await until(async () => (await deliveriesOf(id)).every(({ tries }) => tries.length > 0));

    const stats = await statsOf(id, "24h");
    expect(stats.total).toMatchObject({ succeeded: 5, failed: 3 });
    expect(stats.waiting).toBe(3);
    expect(stats.failures).toMatchObject([{ reason: "500", count: 3 }]);
    expect(stats.total.p95_ms).toBeGreaterThan(0);
  });

  test("take the same number of statements whatever there is to count", async () => {
    at(NOON);
    const { id } = await subscribe("https://hooks.example.com/constant");
    const few = await statementsOf(() => statsOf(id, "7d"));
    for (let hours = 0; hours < 100; hours++)
      await counted(id, { hours, outcome: "200" }, { hours, outcome: "500" });
    expect(await statementsOf(() => statsOf(id, "7d"))).toBe(few);
  });
});

describe("the deliveries of an endpoint", () => {
  test("are found by status, type, response, time, chat, message and event", async () => {
    const answers: Record<string, number> = {
      "message.sent": 200,
      "message.received": 404,
      "chat.created": 500,
    };
    const receiver = await receive((response, _, request) =>
      respond(response, answers[String(request.headers["x-webhook-event"])] ?? 200),
    );
    const { id } = await subscribe(receiver.url);
    const [chatId, messageId, eventId] = [newId(1), newId(2), newId(3)];
    await emit("message.sent", { chatId, messageId });
    await emit("message.received", { chatId });
    await emit("chat.created", { id: eventId, at: new Date(now().getTime() - HOUR_MS) });
    await until(async () => (await deliveriesOf(id)).every(({ tries }) => tries.length > 0));
    const { body } = await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { is_active: false },
    });
    expect(body.is_active).toBe(false);
    await emit("message.sent");

    const halfAnHourAgo = new Date(now().getTime() - HOUR_MS / 2).toISOString();
    const all = ["message.sent", "message.received", "message.sent", "chat.created"];
    expect(await listed(id, {})).toEqual(all);
    expect(await listed(id, { status: "failed" })).toEqual(["message.received"]);
    expect(await listed(id, { status: "delivered,skipped" })).toEqual(["message.sent", "message.sent"]);
    expect(await listed(id, { types: "chat.created,message.received" })).toEqual([
      "message.received",
      "chat.created",
    ]);
    expect(await listed(id, { response: "404" })).toEqual(["message.received"]);
    expect(await listed(id, { response: "200" })).toEqual(["message.sent"]);
    expect(await listed(id, { response: "200,404,timeout" })).toEqual(["message.received", "message.sent"]);
    expect(await listed(id, { response: "timeout" })).toEqual([]);
    expect(await listed(id, { from: halfAnHourAgo })).toEqual(all.slice(0, 3));
    expect(await listed(id, { to: halfAnHourAgo })).toEqual(["chat.created"]);
    expect(await listed(id, { chat_id: chatId })).toEqual(["message.received", "message.sent"]);
    expect(await listed(id, { message_id: messageId })).toEqual(["message.sent"]);
    expect(await listed(id, { event_id: eventId })).toEqual(["chat.created"]);
    expect(await listed(id, { chat_id: chatId, status: "delivered", response: "200" })).toEqual([
      "message.sent",
    ]);

    const [skipped, failed] = (await list(id)).deliveries;
    expect(skipped).toMatchObject({
      status: "skipped",
      attempts: 0,
      last_attempt: null,
      next_attempt_at: null,
    });
    expect(failed).toMatchObject({
      status: "failed",
      attempts: 1,
      sequence: 2,
      event: { chat_id: chatId },
      last_attempt: { status_code: 404, error: null, latency_ms: expect.any(Number) },
    });
  });

  test("come in pages that neither repeat nor lose one, also of the same moment", async () => {
    const { id } = await subscribe("https://hooks.example.com/pages");
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { is_active: false },
    });
    const moment = now();
    const events = Array.from({ length: 25 }, () => ({ ...eventOf("message.sent"), at: moment }));
    await transaction((tx) => emitEvents(tx, events));

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(id, { limit: "10", ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.deliveries.map((delivery) => delivery.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    await expect(list(id, { cursor: "nonsense" })).rejects.toMatchObject({ errorName: "parameter_invalid" });
  });

  test("take the same number of statements however many there are", async () => {
    const { id } = await subscribe("https://hooks.example.com/many");
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account().token,
      body: { is_active: false },
    });
    await emitMany(2);
    const few = await statementsOf(() => list(id, { limit: "1" }));
    await emitMany(100);
    expect(await statementsOf(() => list(id, { limit: "50" }))).toBe(few);
  });

  test("and its statistics are not visible to other accounts", async () => {
    const { id } = await subscribe("https://hooks.example.com/private");
    const stranger = (await createTestAccount({ type: "production" })).context();
    await expect(list(id, {}, stranger)).rejects.toMatchObject({ errorName: "access_denied" });
    await expect(statsOf(id, "24h", stranger)).rejects.toMatchObject({ errorName: "access_denied" });
    await expect(
      getWebhookSubscriptionView(stranger, { params: { subscriptionId: id } }),
    ).rejects.toMatchObject({
      errorName: "access_denied",
    });
  });
});

describe("one delivery", () => {
  test("shows the very body that was posted, and its attempts side by side", async () => {
    const receiver = await receive((response, count) => {
      response.writeHead(count === 1 ? 503 : 200, { "content-type": "text/html", "retry-after": "1" });
      response.end("<b>hello</b>");
    });
    const { id } = await subscribe(receiver.url);
    await emit();
    await until(async () => (await deliveriesOf(id)).every(({ tries }) => tries.length > 0));
    advance(4000);
    await until(async () => (await deliveriesOf(id))[0]?.status === "delivered");

    const [row] = await deliveriesOf(id);
    const input = { params: { deliveryId: row?.id ?? "" } };
    const shown = await getDeliveryView(account().context(), input);
    expect(shown).toMatchObject({
      target_url: receiver.url,
      is_deleted: false,
      version: "2026-02-03",
      delivery: { status: "delivered", attempts: 2, sequence: 1 },
    });
    expect(shown.payload).toEqual(JSON.parse(receiver.received[1]?.body ?? ""));
    expect(shown.attempts).toMatchObject([
      {
        number: 1,
        status_code: 503,
        explanation: expect.stringContaining("failed"),
        response_headers: { "content-type": "text/html", "retry-after": "1" },
        response_body: "<b>hello</b>",
        timing: { connect_ms: expect.any(Number), first_byte_ms: expect.any(Number) },
      },
      { number: 2, status_code: 200, explanation: null, timing: { connect_ms: null } },
    ]);
    const posted = receiver.received.map(({ headers }) => headers["webhook-signature"]);
    expect(shown.attempts.map(({ request }) => request?.headers["webhook-signature"])).toEqual(posted);

    expect(await statementsOf(() => getDeliveryView(account().context(), input))).toBe(2);
    const stranger = await createTestAccount({ type: "production" });
    await expect(getDeliveryView(stranger.context(), input)).rejects.toMatchObject({
      errorName: "name_unknown",
    });
  });

  test("is still shown when its subscription is gone, without its secret", async () => {
    await stopDelivery();
    const { id } = await subscribe("https://hooks.example.com/gone");
    await emit();
    await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: account().token });
    const [row] = await deliveriesOf(id);
    const shown = await getDeliveryView(account().context(), { params: { deliveryId: row?.id ?? "" } });
    expect(shown).toMatchObject({
      is_deleted: true,
      attempts: [],
      target_url: "https://hooks.example.com/gone",
    });
    const subscription = await prisma().webhookSubscription.findFirstOrThrow({ where: { id } });
    expect(subscription.signingSecret.length).toBe(0);
    startDelivery();
  });
});
