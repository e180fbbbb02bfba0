import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { untilLocked } from "@/lib/testing/database/until-locked";
import {
  advance,
  deliveriesOf,
  deliveryOf,
  runWebhookDelivery,
} from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";
import { getWebhookSubscriptionView } from "@/lib/webhooks/endpoints/get-webhook-subscription-view";
import { listWebhookSubscriptionViews } from "@/lib/webhooks/endpoints/list-webhook-subscription-views";
import { monitorEndpoints } from "@/lib/webhooks/endpoints/monitor-endpoints";
import { changeReplay } from "@/lib/webhooks/replays/change-replay";
import { startAutomaticReplays } from "@/lib/webhooks/replays/start-automatic-replays";
import { releaseReplays } from "@/lib/webhooks/replays/steps/release-replays";

const MINUTE_MS = 60_000;

const { account, emit, emitMany, receive, subscribe } = runWebhookDelivery();

beforeEach(async () => {
  await sql.runText({
    text: "update webhook_replays set run_at = null, ended_at = now(), state = 'canceled'",
  });
});

afterEach(() => vi.restoreAllMocks());

async function put(id: string, body: object): Promise<void> {
  const { status } = await callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account().token, body });
  expect(status).toBe(200);
}

async function replay(id: string, filter: object, per_second = 1): Promise<string> {
  const { status, body } = await callApi(`POST /v3/webhook-subscriptions/${id}/replays`, {
    token: account().token,
    body: { filter, per_second },
  });
  expect(status).toBe(201);
  return body.id;
}

async function stateOf(id: string) {
  const [row] = await sql.runText<{ state: string; reason: string | null; due: boolean }>({
    text: "select state, reason, run_at is not null as due from webhook_replays where id = $1",
    values: [id],
  });
  return row;
}

async function replayOf(id: string): Promise<string> {
  const [row] = await sql.runText<{ id: string }>({
    text: "select id from webhook_replays where subscription_id = $1 order by id desc limit 1",
    values: [id],
  });
  return row?.id ?? "";
}

function titles(id: string) {
  return sql.runText<{ kind: string; title: string }>({
    text: "select kind, title from account_notices where object_id = $1 and dismissed_at is null",
    values: [id],
  });
}

function change(replayId: string, state: "running" | "paused" | "canceled") {
  return changeReplay(account().context(), { params: { replayId }, query: undefined, body: { state } });
}

/** A subscription that missed `count` events in a pause, and is active again. */
async function missed(
  count: number,
  fields: object = {},
  url = "https://hooks.example.com/",
): Promise<string> {
  const { id } = await subscribe(`${url}?${Math.random()}`, fields);
  await put(id, { is_active: false });
  await emitMany(count);
  await put(id, { is_active: true });
  return id;
}

/** Sends what a replay holds back. */
async function runReplay(id: string): Promise<void> {
  await until(async () => {
    await releaseReplays(now(), 20);
    return !(await deliveriesOf(id)).some(({ status }) => status === "waiting");
  });
  await sql.runText({
    text: "update webhook_replays set state = 'done', run_at = null, ended_at = now() where subscription_id = $1",
    values: [id],
  });
}

// The first test: later the tables may have statistics, by which a few rows are read as a whole.
test("the search for missed events reads no table as a whole", async () => {
  await missed(30, { auto_replay_per_second: 5 });
  const plans = await explainPlans(() => startAutomaticReplays());
  const search = plans.filter((plan) => plan.includes("webhook_attempts"));
  expect(search).toHaveLength(1);
  expect(search[0]).not.toMatch(/Seq Scan on (webhook_deliveries|webhook_attempts|events)\b/);
});

test("a paused endpoint says from when on it missed events: since its last success, and the retries before", async () => {
  let answer = 200;
  const receiver = await receive((response) => response.writeHead(answer).end());
  const { id } = await subscribe(receiver.url, { retry_seconds: [60] });
  const view = () => getWebhookSubscriptionView(account().context(), { params: { subscriptionId: id } });
  await emit();
  await deliveryOf(id);
  const success = now();
  answer = 500;
  advance(10 * MINUTE_MS);
  const outage = now();
  await emit();
  await until(async () => (await deliveriesOf(id))[1]?.attempts === 1);
  expect((await view()).missed_from).toBeNull();
  advance(10 * MINUTE_MS);
  await put(id, { is_active: false });

  const shown = await view();
  const from = Date.parse(shown.missed_from ?? "");
  expect(shown.failing_since).toBeNull();
  expect(from).toBeLessThan(outage.getTime() - 66_000);
  expect(from).toBeGreaterThan(success.getTime() - 5 * MINUTE_MS);
  const [listed] = (await listWebhookSubscriptionViews(account().context())).endpoints;
  expect(listed).toMatchObject(shown);
});

test("a paused endpoint that never succeeded missed what it failed at first", async () => {
  const receiver = await receive((response) => response.writeHead(500).end());
  const { id } = await subscribe(receiver.url, { retry_seconds: [1] });
  const outage = now();
  await emit();
  await deliveryOf(id);
  advance(60 * MINUTE_MS);
  await put(id, { is_active: false });
  const { missed_from } = await getWebhookSubscriptionView(account().context(), {
    params: { subscriptionId: id },
  });
  expect(Date.parse(missed_from ?? "")).toBeLessThan(outage.getTime());
});

test("the notice counts an event that was being retried when the endpoint was paused, once", async () => {
  const receiver = await receive((response) => response.writeHead(500).end());
  const { id } = await subscribe(receiver.url, { retry_seconds: [60] });
  await emit();
  await until(
    async () =>
      (await deliveriesOf(id))[0]?.leaseUntil === null && (await deliveriesOf(id))[0]?.attempts === 1,
  );
  advance(1000);
  await put(id, { is_active: false });
  advance(2 * MINUTE_MS);
  await until(async () => (await deliveriesOf(id))[0]?.status === "skipped");
  await put(id, { is_active: true });
  expect(await titles(id)).toMatchObject([{ title: expect.stringMatching(/^1 event for .* was skipped$/) }]);
});

test("the notice of skipped events stays through recovery and another target, until a replay of all of them", async () => {
  const id = await missed(2);
  const kinds = async () => (await titles(id)).map(({ kind }) => kind);
  await put(id, { target_url: `https://hooks.example.com/moved?${Math.random()}` });
  expect(await kinds()).toEqual(["webhook_events_skipped"]);
  const narrow = await replay(id, { statuses: ["skipped"], types: ["message.sent"] });
  expect(await kinds()).toEqual(["webhook_events_skipped"]);
  await change(narrow, "canceled");
  const wrong = await replay(id, { statuses: ["skipped"], from: "2020-01-01T00:00:00.000Z" });
  expect(await kinds()).toEqual(["webhook_events_skipped"]);
  await change(wrong, "canceled");
  await replay(id, { statuses: ["failed", "skipped"] });
  expect(await kinds()).toEqual([]);
});

test("the notice of skipped events ends with its endpoint", async () => {
  const id = await missed(1);
  expect(await titles(id)).toHaveLength(1);
  await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: account().token });
  expect(await titles(id)).toEqual([]);
});

test("a replay that a pause of its endpoint stopped goes on when the endpoint is enabled", async () => {
  const id = await missed(5);
  const replayId = await replay(id, { statuses: ["skipped"] });
  await put(id, { is_active: false });
  await releaseReplays(now(), 20);
  expect(await stateOf(replayId)).toMatchObject({ state: "paused", due: false });
  await put(id, { is_active: true });
  expect(await stateOf(replayId)).toEqual({ state: "running", reason: null, due: true });
});

test("a replay that a user paused stays paused, also if its endpoint was paused first", async () => {
  const id = await missed(5);
  const replayId = await replay(id, { statuses: ["skipped"] });
  await put(id, { is_active: false });
  await releaseReplays(now(), 20);
  await change(replayId, "paused");
  await put(id, { is_active: true });
  await monitorEndpoints(new AbortController().signal);
  expect(await stateOf(replayId)).toEqual({ state: "paused", reason: null, due: false });
});

test("a replay that was paused while its endpoint was being enabled goes on with the next check", async () => {
  const id = await missed(5);
  const replayId = await replay(id, { statuses: ["skipped"] });
  await sql.runText({
    text: "update webhook_replays set state = 'paused', reason = 'the subscription is not active', run_at = null where id = $1",
    values: [replayId],
  });
  await monitorEndpoints(new AbortController().signal);
  expect(await stateOf(replayId)).toEqual({ state: "running", reason: null, due: true });
});

test("a delivery that is stored after the check, with an earlier time, is not lost", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000 });
  advance(10 * MINUTE_MS);
  await put(id, { is_active: false });
  await emit();
  await put(id, { is_active: true });
  // The first event is handled while the second one's transaction is still open.
  advance(1000);
  await sql.runText({
    text: "update webhook_deliveries set status = 'waiting' where subscription_id = $1",
    values: [id],
  });
  expect(await startAutomaticReplays()).toBe(0);
  await sql.runText({
    text: "update webhook_deliveries set status = 'skipped' where subscription_id = $1",
    values: [id],
  });
  expect(await startAutomaticReplays()).toBe(1);
});

test("one endpoint whose replay can't start does not stop the others", async () => {
  const ids: string[] = [];
  for (const name of ["one", "two"])
    ids.push((await subscribe(`https://hooks.example.com/${name}`, { auto_replay_per_second: 5 })).id);
  for (const id of ids) await put(id, { is_active: false });
  await emit();
  for (const id of ids) await put(id, { is_active: true });
  const [broken] = ids.toSorted();
  const errors = vi.spyOn(log, "error").mockReturnValue(undefined);
  await sql.runText({
    text: `create function break_replay() returns trigger language plpgsql as
           $$ begin if new.subscription_id = '${broken}' then raise 'broken'; end if; return new; end $$;
           create trigger break_replay before insert on webhook_replays for each row execute function break_replay()`,
  });
  try {
    expect(await startAutomaticReplays()).toBe(1);
    expect(errors).toHaveBeenCalledOnce();
  } finally {
    await sql.runText({
      text: "drop trigger break_replay on webhook_replays; drop function break_replay",
    });
  }
});

test("a canceled automatic replay does not start again", async () => {
  const id = await missed(3, { auto_replay_per_second: 1 });
  expect(await startAutomaticReplays()).toBe(1);
  await change(await replayOf(id), "canceled");
  expect(await startAutomaticReplays()).toBe(0);
  advance(10 * MINUTE_MS);
  expect(await startAutomaticReplays()).toBe(0);
});

test("a canceled manual replay leaves automatic replays what they would send", async () => {
  const id = await missed(3, { auto_replay_per_second: 1 });
  const replayId = await replay(id, { statuses: ["skipped"] });
  await change(replayId, "canceled");
  expect(await startAutomaticReplays()).toBe(1);
});

test("an event that the endpoint refused in an automatic replay is not replayed again", async () => {
  let answer = 500;
  const receiver = await receive((response) => response.writeHead(answer).end());
  const { id } = await subscribe(receiver.url, { auto_replay_per_second: 1000, retry_seconds: [1] });
  await emit();
  await deliveryOf(id);
  answer = 200;
  await emit();
  await until(async () => (await deliveriesOf(id))[1]?.status === "delivered");
  answer = 422;
  expect(await startAutomaticReplays()).toBe(1);
  await runReplay(id);
  answer = 200;
  advance(1000);
  await emit();
  await until(async () => (await deliveriesOf(id)).at(-1)?.status === "delivered");
  expect(await startAutomaticReplays()).toBe(0);
});

test("an automatic replay holds no lock on the subscription while it searches and stores", async () => {
  const id = await missed(3, { auto_replay_per_second: 5 });
  const started = await transaction(async (tx) => {
    await tx.runText({
      text: "select from webhook_subscriptions where id = $1 for no key update",
      values: [id],
    });
    const starting = startAutomaticReplays();
    await untilLocked();
    // It waits only at its last step, which moves the mark: the deliveries are stored.
    const [waiting] = await sql.runText<{ has_stored: boolean }>({
      text: `select bool_or(l.relation = 'webhook_deliveries'::regclass and l.mode = 'RowExclusiveLock') as has_stored
             from pg_stat_activity a join pg_locks l on l.pid = a.pid
             where a.datname = current_database() and a.wait_event_type = 'Lock'`,
    });
    expect(waiting).toEqual({ has_stored: true });
    return { starting };
  });
  expect(await started.starting).toBe(1);
});
