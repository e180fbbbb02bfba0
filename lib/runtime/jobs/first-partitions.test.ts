import "@/lib/testing/use-test-database";

import { afterEach, expect, test } from "vitest";
import { makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { prisma, sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { makeRequestPartitions } from "@/lib/request-log/retention/request-partitions";
import { sweepRequests } from "@/lib/request-log/retention/sweep-requests";

const DAY_MS = 86_400_000;
const EVENTS = 1000;
const never = new AbortController().signal;

afterEach(() => setClock(null));

/** An event, a delivery and an attempt every two hours until now, and a request beside each. */
async function fill(): Promise<void> {
  await sql.runText({
    text: `with partner as (insert into partners (id, name) values (gen_random_uuid(), 'p') returning id),
      account as (insert into accounts (id, partner_id, name, type) select gen_random_uuid(), id, 'a', 'sandbox' from partner returning id),
      subscription as (
        insert into webhook_subscriptions (account_id, id, target_url, subscribed_events, signing_secret, version, created_at, updated_at)
        select id, gen_random_uuid(), 'https://example.com/', '{message.sent}', '', '2026-02-03', now(), now() from account
        returning account_id, id),
      event as (
        insert into events (account_id, id, type, trace_id, data, created_at)
        select account_id, gen_random_uuid(), 'message.sent', 't', '{}', now() - (${EVENTS} - n) * interval '2 hours'
        from subscription, generate_series(1, ${EVENTS}) n order by n returning account_id, seq, created_at),
      delivery as (
        insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at, ended_at)
        select e.account_id, gen_random_uuid(), s.id, e.seq, 'delivered', e.created_at, e.created_at
        from event e, subscription s returning account_id, id, event_seq, created_at),
      attempt as (
        insert into webhook_attempts (account_id, event_seq, delivery_id, number, started_at, latency_ms)
        select account_id, event_seq, id, 1, created_at, 1 from delivery)
      insert into api_requests (account_id, id, token_id, method, path, status, latency_ms, trace_id, headers,
        request_bytes, response_bytes, created_at)
      select account_id, (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7000' ||
        right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid, account_id, 'GET', '/', 200, 1, 't', '{}', 0, 0, created_at from event`,
  });
  // The platform clock of this instance was a year ahead for one request.
  await sql.runText({
    text: `insert into api_requests (account_id, id, token_id, method, path, status, latency_ms, trace_id, headers,
             request_bytes, response_bytes, created_at)
           select account_id, (lpad(to_hex((extract(epoch from now() + interval '1 year') * 1000)::bigint), 12, '0') ||
             '70008000000000000000')::uuid, account_id, 'GET', '/', 200, 1, 't', '{}', 0, 0, now() from events limit 1`,
  });
}

async function counts(): Promise<number[]> {
  return Promise.all([
    prisma().event.count(),
    prisma().webhookDelivery.count(),
    prisma().webhookAttempt.count(),
    prisma().apiRequest.count(),
  ]);
}

test("retention deletes the rows of the first partitions by their time, and drops the partitions in the end", async () => {
  await fill();
  expect(await counts()).toEqual([EVENTS, EVENTS, EVENTS, EVENTS + 1]);

  await makeRequestPartitions(never);
  await makeEventPartitions(never);
  expect(await sql.runText({ text: "select from api_requests_default" })).toEqual([]);
  expect(await counts()).toEqual([EVENTS, EVENTS, EVENTS, EVENTS + 1]);

  // The first event is 83 days old. After 20 days, 12 days of events are older than a period after the retention.
  setClock({ offsetMs: 20 * DAY_MS, frozenAt: null });
  await makeEventPartitions(never);
  await sweepEvents(never);
  await sweepRequests(never);
  const [events, deliveries, attempts, requests] = await counts();
  expect(events).toBeLessThan(EVENTS);
  expect(events).toBeGreaterThan(800);
  expect([deliveries, attempts]).toEqual([events, events]);
  expect(requests).toBeLessThan(150);

  // Later the first partitions are dropped as a whole.
  setClock({ offsetMs: 100 * DAY_MS, frozenAt: null });
  await makeEventPartitions(never);
  await sweepEvents(never);
  await sweepRequests(never);
  expect(await counts()).toEqual([0, 0, 0, 1]);
  const first = await sql.runText({ text: "select from pg_class where relname ~ '_first$'" });
  expect(first).toEqual([]);
});
