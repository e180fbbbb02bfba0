import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { bundleWorker, type WorkerProcesses } from "@/lib/testing/processes/start-worker-process";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";
import { readReplay } from "@/lib/webhooks/replays/get-replay";
import { replayDeliveries } from "@/lib/webhooks/replays/replay-deliveries";

const EVENTS_MISSED = 240;
const KILLS = 3;
/** Minimum number of requests in flight when a worker is killed. */
const IN_FLIGHT_LEAST = 3;

let account: TestAccount;
let workers: WorkerProcesses;
let receiver: Receiver;
let inFlight = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  workers = await bundleWorker({ answerMs: 500, leaseMs: 2500 });
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
  const events = Array.from({ length: EVENTS_MISSED }, () => testEvent(account.ref.id));
  return transaction((tx) => emitEvents(tx, events));
}

/** Waits as long as the test's time limit allows, because processes start slowly on a busy machine. */
async function untilDone(replayId: string) {
  for (;;) {
    const replay = await readReplay(account.context(), replayId);
    if (replay.state === "done") return replay;
    await sleep(50);
  }
}

function attemptsOf(replayId: string) {
  return sql.runText<{ event_id: string; attempts: number; delivered: number }>({
    text: `select e.id as event_id, d.attempts, (
             select count(*)::int from webhook_attempts a
             where a.account_id = d.account_id and a.delivery_id = d.id and a.status_code = 200) as delivered
           from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
           where d.replay_id = $1`,
    values: [replayId],
  });
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

  for (let kill = 1; kill <= KILLS; kill++) {
    const worker = await workers.start();
    const before = receiver.received.length;
    await until(async () => receiver.received.length >= before + 20 && inFlight >= IN_FLIGHT_LEAST);
    worker.kill("SIGKILL");
    await once(worker, "exit");
  }
  expect(await readReplay(account.context(), id)).toMatchObject({ state: "running", total: EVENTS_MISSED });

  await workers.start();
  expect(await untilDone(id)).toMatchObject({ delivered: EVENTS_MISSED, failed: 0, skipped: 0 });

  const posts = new Map<string, number>();
  for (const { headers } of receiver.received) {
    const eventId = headers["webhook-id"] ?? "";
    posts.set(eventId, (posts.get(eventId) ?? 0) + 1);
    expect(headers["x-webhook-replay-id"]).toBe(id);
  }
  expect(posts.size).toBe(EVENTS_MISSED);
  expect(receiver.received.length).toBeGreaterThan(EVENTS_MISSED);
  for (const { event_id, attempts, delivered } of await attemptsOf(id)) {
    // After a delivery was recorded as successful, its event was not sent again.
    expect(delivered).toBe(1);
    expect(posts.get(event_id)).toBeLessThanOrEqual(attempts);
  }
});
