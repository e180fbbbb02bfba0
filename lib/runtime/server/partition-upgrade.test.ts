import "@/lib/testing/use-test-database";

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { closeDatabase, prisma, sql } from "@/lib/platform/database/db";
import { applyMigrations } from "@/lib/platform/postgres/migrate";
import { setClock } from "@/lib/platform/time/clock";
import { makeRequestPartitions } from "@/lib/request-log/retention/request-partitions";
import { sweepRequests } from "@/lib/request-log/retention/sweep-requests";
import { readCatalog } from "@/lib/testing/database/database-catalog";
import { createEmptyDatabase, createTestDatabase } from "@/lib/testing/template-database";

const MIGRATIONS = path.resolve("prisma/migrations");
const FIRST = "20261122231000_partitioned_request_log";
const DAY_MS = 86_400_000;
const EVENTS = 1000;
const never = new AbortController().signal;

let undo: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  setClock(null);
  for (const each of undo.reverse()) await each();
  undo = [];
});

/** A database from the release before the tables were partitioned, which becomes the database of this test. */
async function earlierDatabase(): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), "trunkline-earlier-"));
  undo.push(() => rmSync(dir, { recursive: true, force: true }));
  const migrations = path.join(dir, "migrations");
  mkdirSync(migrations);
  for (const name of readdirSync(MIGRATIONS).filter((name) => name < FIRST)) {
    cpSync(path.join(MIGRATIONS, name), path.join(migrations, name), { recursive: true });
  }
  const { url, drop } = await createEmptyDatabase();
  await applyMigrations(url, { dir: migrations });
  await closeDatabase();
  const before = process.env.DATABASE_URL;
  process.env.DATABASE_URL = url;
  undo.push(async () => {
    await closeDatabase();
    process.env.DATABASE_URL = before;
    await drop();
  });
  return url;
}

/** An event, a delivery and an attempt every two hours until now, and a request beside each. */
async function fill(): Promise<void> {
  await sql.query({
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
        from event e, subscription s returning account_id, id, created_at),
      attempt as (
        insert into webhook_attempts (account_id, delivery_id, number, started_at, latency_ms)
        select account_id, id, 1, created_at, 1 from delivery)
      insert into api_requests (account_id, id, token_id, method, path, status, latency_ms, trace_id, headers,
        request_bytes, response_bytes, created_at)
      select account_id, (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7000' ||
        right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid, account_id, 'GET', '/', 200, 1, 't', '{}', 0, 0, created_at from event`,
  });
  // The platform clock of this instance was a year ahead for one request.
  await sql.query({
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

test("an upgrade keeps every row, and retention continues for the rows from before it", async () => {
  const url = await earlierDatabase();
  await fill();

  await applyMigrations(url);

  expect(await counts()).toEqual([EVENTS, EVENTS, EVENTS, EVENTS + 1]);
  const unrelated = await sql.query({
    text: `select from webhook_attempts a where not exists (select from webhook_deliveries d
             where d.account_id = a.account_id and d.id = a.delivery_id and d.event_seq = a.event_seq)`,
  });
  expect(unrelated).toEqual([]);

  await makeRequestPartitions(never);
  await makeEventPartitions(never);
  expect(await sql.query({ text: "select from api_requests_default" })).toEqual([]);
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
  const first = await sql.query({ text: "select from pg_class where relname ~ '_first$'" });
  expect(first).toEqual([]);
});

test("an upgraded database has the schema of a new one", async () => {
  const url = await earlierDatabase();
  await fill();
  await applyMigrations(url);
  const fresh = await createTestDatabase();
  undo.push(fresh.drop);

  expect(await readCatalog(url)).toEqual(await readCatalog(fresh.url));
});
