import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { emitEvents } from "@/lib/events/store/emit-event";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { stopAfterStatement } from "@/lib/testing/database/stop-after-statement";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let account: TestAccount;

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "sandbox" });
  await sql.runText({ text: "truncate events, webhook_subscriptions cascade" });
});

afterEach(() => {
  vi.restoreAllMocks();
  setClock(null);
});

async function emit(count: number, type = "message.sent"): Promise<void> {
  const events = Array.from({ length: count }, () => testEvent(account.ref.id, { type }));
  await transaction((tx) => emitEvents(tx, events));
}

async function endDeliveries(): Promise<void> {
  await sql.runText({
    text: "update webhook_deliveries set status = 'delivered', run_at = null, ended_at = now()",
  });
  await sql.runText({
    text: `insert into webhook_attempts (account_id, delivery_id, event_seq, number, started_at, latency_ms)
           select account_id, id, event_seq, 1, now(), 1 from webhook_deliveries`,
  });
}

async function counts() {
  const [events, deliveries, attempts] = await Promise.all([
    prisma().event.count(),
    prisma().webhookDelivery.count(),
    prisma().webhookAttempt.count(),
  ]);
  return { events, deliveries, attempts };
}

test("events from before partitions go with their deliveries and attempts in batches, once older than a period allows", async () => {
  const body = { target_url: "https://example.com/hook", subscribed_events: ["message.sent"] };
  await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
  await sql.runText({ text: "truncate events" });
  await emit(1200);
  await endDeliveries();

  setClock({ offsetMs: 89 * DAY_MS, frozenAt: null });
  await emit(3);
  await endDeliveries().catch(() => undefined);
  expect(await sweepEvents(never)).toBe(0);

  setClock({ offsetMs: 101 * DAY_MS, frozenAt: null });
  expect(await sweepEvents(never)).toBe(1200);
  const left = await counts();
  expect([left.events, left.deliveries]).toEqual([3, 3]);
  expect(left.attempts).toBeLessThanOrEqual(3);
  expect(await sweepEvents(never)).toBe(0);
});

test("an event that still waits for a receiver stays, whatever its age, and keeps nothing else", async () => {
  await emit(600, "chat.created");
  const body = { target_url: "https://example.com/hook", subscribed_events: ["message.sent"] };
  await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
  await emit(2);
  await emit(600, "chat.created");

  setClock({ offsetMs: 400 * DAY_MS, frozenAt: null });
  await sweepEvents(never);

  const kept = await prisma().event.findMany({ select: { type: true } });
  expect(kept.filter(({ type }) => type === "message.sent")).toHaveLength(2);
  expect(await prisma().webhookDelivery.count({ where: { status: "waiting" } })).toBe(2);
  expect(kept.filter(({ type }) => type === "chat.created")).toHaveLength(0);

  await endDeliveries();
  await sweepEvents(never);
  expect(await counts()).toEqual({ events: 0, deliveries: 0, attempts: 0 });
});

test("an aborted sweep ends after the current batch", async () => {
  await emit(1200);
  setClock({ offsetMs: 101 * DAY_MS, frozenAt: null });

  expect(await sweepEvents(stopAfterStatement("swept as"))).toBe(500);
  expect(await sweepEvents(never)).toBe(700);
});
