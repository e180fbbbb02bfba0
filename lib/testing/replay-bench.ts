import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { POST as previewRoute } from "@/app/api/webhooks/[subscriptionId]/replays/preview/route";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { POST as replayOneRoute } from "@/app/api/webhooks/deliveries/[deliveryId]/replay/route";
import { PATCH as changeRoute, GET as getRoute } from "@/app/api/webhooks/replays/[replayId]/route";
import { emitEvents, type NewEvent } from "@/lib/events/emit-event";
import { now, setClock } from "@/lib/platform/clock";
import { sql, transaction } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";
import type { Queue } from "@/lib/platform/queue";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in-as";
import { type Receiver, startReceiver } from "@/lib/testing/start-receiver";
import { testEvent } from "@/lib/testing/test-event";
import { startWebhookDelivery } from "@/lib/webhooks/deliver-webhooks";
import type { WebhookReplay } from "@/lib/webhooks/webhook-replay";
import { startReplays } from "@/lib/webhooks/work-replays";

interface Subscription {
  id: string;
  signing_secret: string;
}

interface DeliveryRow {
  id: string;
  event_id: string;
  replay_id: string | null;
  status: string;
  attempts: number;
  sequence: string | null;
}

interface Wanted {
  statuses?: string[];
  types?: string[];
  [condition: string]: unknown;
}

/**
 * Accounts, receivers, workers and calls for tests of replays. Each test has its subscriptions, its workers and the clock
 * to itself.
 */
export function replayBench() {
  const bench = {} as { account: TestAccount; theirs: TestAccount; developer: DashboardUser };
  const receivers: Receiver[] = [];
  const queues: Queue[] = [];

  beforeAll(async () => {
    bench.account = await createTestAccount({ type: "sandbox" });
    bench.theirs = await createTestAccount({ type: "sandbox" });
    bench.developer = await signInAs(bench.account, "developer");
  });

  afterEach(stopAll);
  afterAll(stopAll);

  async function stopAll(): Promise<void> {
    setClock(null);
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
    await sql.query({ text: "update webhook_subscriptions set is_active = false, deleted_at = now()" });
    await sql.query({
      text: "update webhook_replays set run_at = null, ended_at = now(), state = 'canceled'",
    });
    await sql.query({ text: "delete from webhook_deliveries where status = 'waiting'" });
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  }

  function work(): void {
    queues.push(startWebhookDelivery({ answerMs: 1000 }), startReplays());
  }

  async function receive(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
    const receiver = await startReceiver(...parameters);
    receivers.push(receiver);
    return receiver;
  }

  async function subscribe(targetUrl: string, fields: object = {}): Promise<Subscription> {
    const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
      token: bench.account.token,
      body: { target_url: targetUrl, subscribed_events: ["message.sent", "chat.created"], ...fields },
    });
    expect(status).toBe(201);
    return body;
  }

  function setActive(id: string, is_active: boolean) {
    return callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: bench.account.token,
      body: { is_active },
    });
  }

  /** Emits events of one kind; their ids, oldest first. */
  async function emit(count = 1, fields: Partial<NewEvent> = {}): Promise<string[]> {
    const events = Array.from({ length: count }, () => ({
      id: newId(now().getTime()),
      ...testEvent(bench.account.ref.id, fields),
    }));
    await transaction((tx) => emitEvents(tx, events));
    return events.map((event) => event.id);
  }

  function deliveriesOf(subscriptionId: string): Promise<DeliveryRow[]> {
    return sql.query<DeliveryRow>({
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

  async function replay(subscriptionId: string, filter: Wanted, more: object = {}): Promise<WebhookReplay> {
    const { status, body } = await bench.developer.call(replaysRoute, {
      method: "POST",
      params: { subscriptionId },
      body: { filter: { statuses: ["failed"], ...filter }, per_second: 1000, ...more },
    });
    expect(body).toMatchObject({ subscription_id: subscriptionId });
    expect(status).toBe(201);
    return body;
  }

  async function preview(subscriptionId: string, filter: Wanted): Promise<number> {
    const { body } = await bench.developer.call(previewRoute, {
      method: "POST",
      params: { subscriptionId },
      body: { filter: { statuses: ["failed"], ...filter } },
    });
    return body.total;
  }

  async function replayOne(deliveryId: string, by = bench.developer) {
    return by.call(replayOneRoute, { method: "POST", params: { deliveryId } });
  }

  async function progressOf(replayId: string): Promise<WebhookReplay> {
    return (await bench.developer.call(getRoute, { params: { replayId } })).body;
  }

  function change(replayId: string, body: object, by = bench.developer) {
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

  return Object.assign(bench, {
    work,
    receive,
    subscribe,
    setActive,
    emit,
    deliveriesOf,
    untilEnded,
    replay,
    preview,
    replayOne,
    progressOf,
    change,
    untilState,
    idsAt,
    replayedAt,
  });
}
