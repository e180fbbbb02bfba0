import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { EventType } from "@/lib/events/catalog/event-types";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { wakeLocally } from "@/lib/platform/database/wake";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";

/** Time limit for a receiver in tests. A busy machine can take some seconds to answer. */
const RESPONSE_TIMEOUT_MS = 20_000;

type Delivery = Awaited<ReturnType<typeof deliveriesOf>>[number];

/** A sandbox account whose webhooks are delivered while the tests of a file run. Each test has its own targets. */
export function runWebhookDelivery() {
  let account: TestAccount;
  let lineId: string;
  const queues: Queue[] = [];
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    account = await createTestAccount({ type: "sandbox" });
    lineId = (await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } })).id;
    startDelivery();
  });

  afterEach(async () => {
    setClock(null);
    await sql.runText({ text: "update webhook_subscriptions set is_active = false, deleted_at = now()" });
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  afterAll(() => stopDelivery());

  /** Starts another worker. */
  function startDelivery(answerMs = RESPONSE_TIMEOUT_MS): void {
    queues.push(startWebhookDelivery({ answerMs }));
  }

  async function stopDelivery(): Promise<void> {
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  }

  function eventOf(type: EventType, fields: Partial<NewEvent> = {}): NewEvent {
    return testEvent(account.ref.id, { type, lineId, ...fields });
  }

  return {
    account: () => account,
    startDelivery,
    stopDelivery,
    eventOf,

    async receive(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
      const receiver = await startReceiver(...parameters);
      receivers.push(receiver);
      return receiver;
    },

    async subscribe(targetUrl: string, fields: object = {}) {
      const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
        token: account.token,
        body: {
          target_url: targetUrl,
          subscribed_events: ["message.sent", "message.received", "chat.created"],
          ...fields,
        },
      });
      expect(status).toBe(201);
      return body as { id: string; signing_secret: string };
    },

    emit(type: EventType = "message.sent", fields: Partial<NewEvent> = {}): Promise<void> {
      return transaction((tx) => emitEvents(tx, [eventOf(type, fields)]));
    },

    emitMany(count: number): Promise<void> {
      const events = Array.from({ length: count }, () => eventOf("message.sent"));
      return transaction((tx) => emitEvents(tx, events));
    },
  };
}

export async function deliveriesOf(subscriptionId: string) {
  const deliveries = await prisma().webhookDelivery.findMany({
    where: { subscriptionId },
    orderBy: { eventSeq: "asc" },
  });
  const tries = await prisma().webhookAttempt.findMany({
    where: { deliveryId: { in: deliveries.map(({ id }) => id) } },
    orderBy: { number: "asc" },
  });
  return deliveries.map((delivery) => ({
    ...delivery,
    tries: tries.filter(({ deliveryId }) => deliveryId === delivery.id),
  }));
}

/** Returns the subscription's only delivery once `done`. Advances the clock to each retry. */
export async function deliveryOf(
  subscriptionId: string,
  done: (delivery: Delivery) => boolean = ({ endedAt }) => endedAt !== null,
): Promise<Delivery> {
  const end = performance.now() + 45_000;
  while (performance.now() < end) {
    const [delivery] = await deliveriesOf(subscriptionId);
    if (delivery !== undefined && done(delivery)) return delivery;
    const wait =
      delivery?.leaseUntil === null && delivery.runAt !== null
        ? delivery.runAt.getTime() - now().getTime()
        : 0;
    if (wait > 0) advance(wait);
    await sleep(10);
  }
  throw new Error(`not in time: ${JSON.stringify(await deliveriesOf(subscriptionId), toJsonValue)}`);
}

/** Advances the platform clock and wakes deliveries that become due. */
export function advance(ms: number): void {
  setClock({ offsetMs: now().getTime() - Date.now() + ms, frozenAt: null });
  wakeLocally("deliveries");
}

function toJsonValue(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
