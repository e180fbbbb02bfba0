import "@/lib/testing/use-test-database";

import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EVENTS } from "@/lib/events/catalog";
import { emitEvents } from "@/lib/events/emit-event";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db";
import { newTraceId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/factories";
import { type Receiver, startReceiver } from "@/lib/testing/start-receiver";
import { bundleWorker, type WorkerProcesses } from "@/lib/testing/start-worker-process";
import { readReplay } from "@/lib/webhooks/get-replay";
import { replayDeliveries } from "@/lib/webhooks/replay-deliveries";

const EVENTS_MISSED = 300;
const KILLS = 4;
/** So many requests wait for their answer when a worker is killed. */
const IN_FLIGHT_LEAST = 3;
/** What is answered by then is recorded, unless the process dies. */
const IN_FLIGHT_MS = 1000;

let account: TestAccount;
let workers: WorkerProcesses;
let receiver: Receiver;
let inFlight = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  workers = await bundleWorker({ answerMs: 500, leaseMs: 1000 });
  receiver = await startReceiver((response) => {
    inFlight++;
    response.on("close", () => inFlight--);
    setTimeout(() => response.end("ok"), 20 + Math.random() * 80);
  });
});

afterAll(async () => {
  await workers.end();
  await receiver.close();
});

async function subscribe(): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: receiver.url, subscribed_events: ["message.sent"] },
  });
  return body.id;
}

function emitMissed(): Promise<void> {
  const data = EVENTS["message.sent"].payload.example;
  const event = {
    accountId: account.ref.id,
    type: "message.sent",
    lineId: null,
    chatId: null,
    messageId: null,
    data,
  };
  const events = Array.from({ length: EVENTS_MISSED }, () => ({
    ...event,
    traceId: newTraceId(),
    at: now(),
  }));
  return transaction((tx) => emitEvents(tx, events));
}

test("a replay whose worker is killed again and again goes on where it was, and loses nothing", {
  timeout: 90_000,
}, async () => {
  await emitMissed();
  const subscriptionId = await subscribe();
  const { id } = await replayDeliveries(account.context(), {
    params: { subscriptionId },
    query: undefined,
    body: { filter: { statuses: ["never_owed"], types: [] }, per_second: 100 },
  });

  const killedAt: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const worker = await workers.start();
    const before = receiver.received.length;
    await until(async () => receiver.received.length >= before + 20 && inFlight >= IN_FLIGHT_LEAST);
    worker.kill("SIGKILL");
    killedAt.push(performance.now());
    await once(worker, "exit");
  }
  expect(await readReplay(account.context(), id)).toMatchObject({ state: "running", total: EVENTS_MISSED });

  await workers.start();
  const ended = await until(async () => {
    const replay = await readReplay(account.context(), id);
    return replay.state === "done" && replay;
  });
  expect(ended).toMatchObject({ delivered: EVENTS_MISSED, failed: 0, skipped: 0 });

  const times = new Map<string, number[]>();
  for (const { headers, at } of receiver.received) {
    const eventId = headers["webhook-id"] ?? "";
    times.set(eventId, [...(times.get(eventId) ?? []), at]);
    expect(headers["x-webhook-replay-id"]).toBe(id);
  }
  expect(times.size).toBe(EVENTS_MISSED);
  expect(receiver.received.length).toBeGreaterThanOrEqual(EVENTS_MISSED + KILLS * IN_FLIGHT_LEAST);
  for (const [first, ...again] of times.values()) {
    const wasInFlight = killedAt.some((at) => at >= (first ?? 0) && at - (first ?? 0) < IN_FLIGHT_MS);
    if (again.length > 0) expect(wasInFlight).toBe(true);
  }
});
