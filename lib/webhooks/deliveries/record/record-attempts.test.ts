import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { dedicatedClient, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { deliveriesOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { claimDeliveries } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { recordAttempt } from "@/lib/webhooks/deliveries/record/record-attempts";

const { emitMany, stopDelivery, subscribe } = runWebhookDelivery();

const DELETE = "delete from webhook_deliveries where subscription_id = $1";

async function claimAll(count: number) {
  await emitMany(count);
  const { claimed } = await claimDeliveries(new EndpointSlots(512), { limit: count, leaseMs: 0 });
  return claimed;
}

function record(delivery: Awaited<ReturnType<typeof claimAll>>[number]): Promise<void> {
  const result = {
    startedAt: now(),
    latencyMs: 1,
    timing: null,
    request: null,
    statusCode: 200,
    error: null,
    responseHeaders: null,
    responseBody: "ok",
    retryAfterMs: null,
  };
  return recordAttempt({ delivery, result, evaluation: { status: "delivered", retryInMs: null }, at: now() });
}

async function countAttempts(): Promise<number> {
  const [row] = await sql.runText<{ count: number }>({
    text: "select count(*)::int as count from webhook_attempts",
  });
  return row?.count ?? 0;
}

test("attempts go with their deliveries, and none is left behind by one recorded at the same time", async () => {
  await stopDelivery();
  const { id } = await subscribe("https://hooks.example.com/");
  const recorded = await claimAll(10);
  await Promise.all(recorded.map(record));
  expect(await countAttempts()).toBe(10);
  await sql.runText({ text: DELETE, values: [id] });
  expect(await countAttempts()).toBe(0);

  const [first] = await claimAll(1);
  if (first === undefined) throw new Error("nothing was claimed");
  let storing: Promise<void> | undefined;
  await transaction(async (tx) => {
    await tx.runText({ text: DELETE, values: [id] });
    storing = record(first);
    // The row is locked, so recording must wait for the lock.
    await expect(Promise.race([storing, untilLocked()])).resolves.toBe("waits");
  });
  await storing;
  expect(await countAttempts()).toBe(0);

  for (let round = 0; round < 5; round++) {
    const claimed = await claimAll(15);
    await Promise.all([...claimed.map(record), sql.runText({ text: DELETE, values: [id] })]);
  }
  await sql.runText({ text: DELETE, values: [id] });
  expect([await countAttempts(), await deliveriesOf(id)]).toEqual([0, []]);
});

test("deleted attempts are found by their key, for every caller and all settings", async () => {
  const { id } = await subscribe("https://hooks.example.com/");
  await sql.runText({ text: "analyze webhook_attempts" });
  await emitMany(3000);
  await sql.runText({
    text: `insert into webhook_attempts (account_id, delivery_id, event_seq, number, started_at, latency_ms)
           select account_id, id, event_seq, 1, now(), 1 from webhook_deliveries where subscription_id = $1`,
    values: [id],
  });
  const client = dedicatedClient(60_000);
  await client.connect();
  try {
    await client.query("begin");
    await client.query({ text: DELETE, values: [id] });
    const { rows } = await client.query(
      `select sum(seq_scan)::int as seq_scan, sum(n_tup_del)::int as n_tup_del from pg_stat_xact_user_tables
       where relname like 'webhook_attempts\\_%'`,
    );
    expect(rows).toEqual([{ seq_scan: 0, n_tup_del: 3000 }]);
  } finally {
    await client.end();
  }
});
