import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/explain-statements";
import { redactAnswers } from "@/lib/webhooks/redact-answers";

const EVENTS = 20_000;
const BATCH = 500;

/** SQL: the id of the message of the n-th event. */
const MESSAGE = "(lpad(to_hex(1790000000000 + n * 50), 12, '0') || '70008000000000000000')::uuid";

// Every event was delivered at the second attempt, as to a receiver that is often down.
test("erasing messages reads the attempts of their events, and no other delivery of the account", async () => {
  const account = await createTestAccount({ type: "production" });
  await sql.query({
    text: `insert into events (account_id, id, type, message_id, trace_id, data, created_at)
           select $1, gen_random_uuid(), 'message.sent', ${MESSAGE}, 'trace', '{}', now() from generate_series(1, $2::int) n`,
    values: [account.ref.id, EVENTS],
  });
  await sql.query({
    text: `with subscription as (
             insert into webhook_subscriptions
               (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
             values ($1, gen_random_uuid(), 'https://example.com/', '{message.sent}', '{}', '2026-02-03', '', now(), now())
             returning id
           ), delivery as (
             insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at, ended_at)
             select $1, gen_random_uuid(), s.id, e.seq, 'delivered', now(), now()
             from subscription s, events e where e.account_id = $1 and e.trace_id = 'trace' returning *
           )
           insert into webhook_attempts (account_id, delivery_id, event_seq, number, started_at, latency_ms, response_body)
           select account_id, id, event_seq, number, now(), 1, case number when 1 then 'busy' else '' end
           from delivery, generate_series(1, 2) number`,
    values: [account.ref.id],
  });
  for (const table of ["events", "webhook_deliveries", "webhook_attempts"])
    await sql.query({ text: `analyze ${table}` });
  const messages = await sql.query<{ id: string }>({
    text: `select ${MESSAGE} as id from generate_series($1::int, $2::int) n`,
    values: [EVENTS - BATCH + 1, EVENTS],
  });
  const messageIds = messages.map(({ id }) => id);

  const scans = await explainStatements(() =>
    transaction((tx) => redactAnswers(tx, account.ref.id, messageIds)),
  );

  const [left] = await sql.query<{ kept: number; erased: number; empty: number }>({
    text: `select count(*) filter (where response_body = 'busy')::int as kept,
             count(*) filter (where response_body is null)::int as erased,
             count(*) filter (where response_body = '')::int as empty
           from webhook_attempts where account_id = $1`,
    values: [account.ref.id],
  });
  expect(left).toEqual({ kept: EVENTS - BATCH, erased: BATCH, empty: EVENTS });
  const read = scans.filter(({ on }) => /^(events|webhook_\w+)$/.test(on));
  expect(new Set(read.map(({ on }) => on))).toEqual(new Set(["events", "webhook_attempts"]));
  expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(4 * BATCH);
});
