import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import {
  advance,
  deliveriesOf,
  deliveryOf,
  runWebhookDelivery,
} from "@/lib/testing/events/run-webhook-delivery";
import type { Receiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";
import { startAutomaticReplays } from "@/lib/webhooks/replays/start-automatic-replays";
import { startReplays } from "@/lib/webhooks/replays/work-replays";

const { account, emit, emitMany, receive, subscribe } = runWebhookDelivery();
let replays: Queue;

beforeAll(() => {
  replays = startReplays();
});

afterAll(() => replays.stop());

beforeEach(async () => {
  // Ends what an earlier test left behind.
  await sql.runText({
    text: "update webhook_replays set run_at = null, ended_at = now(), state = 'canceled'",
  });
});

async function change(id: string, body: object): Promise<void> {
  const { status } = await callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account().token, body });
  expect(status).toBe(200);
}

function replaysOf(id: string) {
  return sql.runText<{ total: number; per_second: number; created_by: string | null; is_bulk: boolean }>({
    text: `select total, per_second, created_by, is_bulk from webhook_replays
           where account_id = $1 and subscription_id = $2 order by id`,
    values: [account().ref.id, id],
  });
}

async function endedReplays(id: string): Promise<void> {
  await until(async () => {
    const [row] = await sql.runText<{ open: number }>({
      text: "select count(*)::int as open from webhook_replays where subscription_id = $1 and ended_at is null",
      values: [id],
    });
    return row?.open === 0;
  });
}

function idsAt({ received }: Receiver): string[] {
  return received.map(({ headers }) => headers["webhook-id"] ?? "");
}

async function statusesOf(id: string): Promise<string[]> {
  return (await deliveriesOf(id)).map(({ status }) => status);
}

test("what was skipped during a pause is sent after the resume, each event once", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 20 });
  await change(id, { is_active: false });
  await emitMany(12);
  expect(await startAutomaticReplays()).toBe(0);
  await change(id, { is_active: true });

  expect(await startAutomaticReplays()).toBe(1);
  expect(await startAutomaticReplays()).toBe(0);
  await endedReplays(id);

  expect(await replaysOf(id)).toEqual([{ total: 12, per_second: 20, created_by: null, is_bulk: true }]);
  expect(receiver.received.every(({ headers }) => headers["x-webhook-replay"] === "true")).toBe(true);
  const events = await sql.runText<{ id: string }>({
    text: `select distinct e.id, e.seq from events e join webhook_deliveries d on d.account_id = e.account_id and d.event_seq = e.seq
           where d.subscription_id = $1 order by e.seq`,
    values: [id],
  });
  expect(new Set(idsAt(receiver))).toEqual(new Set(events.map((event) => event.id)));
  expect(receiver.received).toHaveLength(12);
  expect(await startAutomaticReplays()).toBe(0);
});

test("to an endpoint with order per chat, what was skipped is sent in the order of its chat", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000, ordering: "chat" });
  const chatId = newId(now().getTime());
  const emitOne = () => emit("message.sent", { chatId });
  await change(id, { is_active: false });
  for (let count = 0; count < 8; count++) await emitOne();
  await change(id, { is_active: true });
  expect(await startAutomaticReplays()).toBe(1);
  await emitOne();
  await endedReplays(id);
  await until(() => new Set(idsAt(receiver)).size === 9);

  const events = await sql.runText<{ id: string }>({
    text: "select id from events where account_id = $1 and type = 'message.sent' and chat_id = $2 order by seq",
    values: [account().ref.id, chatId],
  });
  const skipped = idsAt(receiver).filter((eventId) => eventId !== events.at(-1)?.id);
  expect(skipped).toEqual(events.slice(0, -1).map((event) => event.id));
});

test("what failed in an outage is sent when the endpoint answers again, but not what it refused", async () => {
  let answer = 500;
  const receiver = await receive((response) => response.writeHead(answer).end());
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000, retry_seconds: [1] });
  await emit();
  expect(await deliveryOf(id)).toMatchObject({ status: "failed", attempts: 2 });
  expect(await startAutomaticReplays()).toBe(0);

  answer = 422;
  await emit();
  await until(async () => (await statusesOf(id)).filter((status) => status === "failed").length === 2);
  expect(await startAutomaticReplays()).toBe(0);

  answer = 200;
  await emit();
  await until(async () => (await statusesOf(id)).includes("delivered"));
  expect(await startAutomaticReplays()).toBe(1);
  await endedReplays(id);

  expect(await replaysOf(id)).toMatchObject([{ total: 1 }]);
  const [lost, refused, last] = idsAt(receiver).slice(1);
  expect(idsAt(receiver)).toEqual([lost, lost, refused, last, lost]);
});

test("without the option nothing is replayed, and turning it on does not reach back", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url);
  await change(id, { is_active: false });
  await emitMany(2);
  await change(id, { is_active: true });
  expect(await startAutomaticReplays()).toBe(0);
  advance(1000);
  await change(id, { auto_replay_per_second: 10 });
  expect(await startAutomaticReplays()).toBe(0);
  await change(id, { auto_replay_per_second: null });
  await change(id, { is_active: false });
  await emit();
  await change(id, { is_active: true });
  expect(await startAutomaticReplays()).toBe(0);
  expect(receiver.received).toHaveLength(0);
});

test("turned on during a pause, the option covers the whole pause", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url);
  await change(id, { is_active: false });
  await emitMany(3);
  advance(1000);
  await change(id, { auto_replay_per_second: 1000 });
  await change(id, { is_active: true });
  expect(await startAutomaticReplays()).toBe(1);
  await endedReplays(id);
  expect(receiver.received).toHaveLength(3);
});

test("an event that is never accepted is replayed three times and then left alone", async () => {
  const refused = new Set<string>();
  const receiver = await receive((response, _count, request) => {
    const id = String(request.headers["webhook-id"]);
    if (refused.size === 0) refused.add(id);
    response.writeHead(refused.has(id) ? 500 : 200).end();
  });
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000, retry_seconds: [1] });
  await emit();
  await deliveryOf(id);
  let started = 0;
  for (let round = 0; round < 5; round++) {
    await emit();
    await until(async () => (await statusesOf(id)).filter((status) => status === "delivered").length > round);
    started += await startAutomaticReplays();
    await until(async () => {
      advance(1100);
      return !(await statusesOf(id)).includes("waiting");
    });
    await endedReplays(id);
  }
  expect(started).toBe(3);
});

test("ten checks at once start one replay", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000 });
  await change(id, { is_active: false });
  await emitMany(5);
  await change(id, { is_active: true });
  const started = await Promise.all(Array.from({ length: 10 }, () => startAutomaticReplays()));
  expect(started.reduce((sum, count) => sum + count, 0)).toBe(1);
  await endedReplays(id);
  expect(receiver.received).toHaveLength(5);
});

test("the audit log names the automatic replay as Trunkline's own", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000 });
  await change(id, { is_active: false });
  await emit();
  await change(id, { is_active: true });
  await startAutomaticReplays();
  const entries = await sql.runText({
    text: `select actor_type, detail from audit_entries
           where account_id = $1 and action = 'webhook_replay.created' and detail->>'subscription_id' = $2`,
    values: [account().ref.id, id],
  });
  expect(entries).toMatchObject([{ actor_type: "system", detail: { is_automatic: true, total: 1 } }]);
});
